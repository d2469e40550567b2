/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Processes that want more than their share: attack CPU SECONDS. One takes the CPU offline and
 * online without the knowledge of programs that take it; one adds single pages at many addresses,
 * for their page tables, which stay. And gorge CPU MEBIBYTES: one adds more memory than the machine
 * has, while its core runs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "chance.h"

#define NOBODY      65534
#define LIMIT_PAGES 64ul
#define FAR         (2ul << 20) /* each page needs its own table */
#define PLACES      256ul

static bool write_online(const char *path, char digit)
{
	int file = open(path, O_WRONLY);
	bool done = write(file, &digit, 1) == 1;

	close(file);
	return done;
}

/* Counts how often it took the CPU offline; while the CPU is held, that is refused. */
static void __attribute__((noreturn)) meddle(const char *path, _Atomic unsigned *downs)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		if (write_online(path, '0'))
			++*downs;
		if (!write_online(path, '1'))
			usleep(100);
	}
}

/* Returns the result of TAKE; closing the file gives the CPU back. */
static int take_once(uint32_t cpu)
{
	struct tact_bare_take take = {.cpu = cpu};
	int file = ring3_open();
	int result = ioctl(file, TACT_BARE_TAKE, &take);

	close(file);
	return result;
}

static void rival(uint32_t cpu, double seconds)
{
	double end = now_ms() + 1e3 * seconds;
	unsigned taken = 0, refused = 0, strange = 0;
	struct chance chance = {1};
	_Atomic unsigned *downs =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char path[64];
	pid_t child;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	child = fork();
	if (child == 0)
		meddle(path, downs);
	while (now_ms() < end) {
		int result;

		usleep((unsigned)chance_below(&chance, 60000));
		result = take_once(cpu);
		taken += result == 0;
		refused += result == -1;
		strange += result != 0 && result != -1;
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	write_online(path, '1');
	check(child > 0 && !strange && cpu_comes_back(cpu),
	      "attack: a rival for the CPU, %u times: %u taken, %u refused, %u neither", *downs,
	      taken, refused, strange);
	check(take_once(cpu) == 0 && cpu_comes_back(cpu), "attack: taken and given without it");
}

/* Never more than one page at a time; returns how often that succeeds. */
static unsigned long add_here_and_there(int file, uint8_t *arena, struct tact_bare_memory *memory)
{
	for (unsigned long i = 0; i < PLACES; i++) {
		*memory = (struct tact_bare_memory){.address = (uintptr_t)arena + i * FAR,
						    .bytes = TACT_BARE_PAGE};
		if (ioctl(file, TACT_BARE_MEMORY_ADD, memory))
			return i;
		ioctl(file, TACT_BARE_MEMORY_REMOVE, memory);
		madvise(arena + i * FAR, TACT_BARE_PAGE, MADV_DONTNEED);
	}
	return PLACES;
}

static int spread(void)
{
	const struct rlimit limit = {LIMIT_PAGES * TACT_BARE_PAGE, LIMIT_PAGES * TACT_BARE_PAGE};
	struct tact_bare_memory memory;
	uint8_t *arena = mmap(NULL, PLACES * FAR, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int file = ring3_open(), second = ring3_open();
	unsigned long done;

	if (arena == MAP_FAILED || setrlimit(RLIMIT_MEMLOCK, &limit) || setgid(NOBODY) ||
	    setuid(NOBODY))
		return 2;
	memory = (struct tact_bare_memory){.address = (uintptr_t)arena,
					   .bytes = (LIMIT_PAGES + 1) * TACT_BARE_PAGE};
	check(ioctl(file, TACT_BARE_MEMORY_ADD, &memory) == -1 && errno == ENOMEM &&
		      memory.failed >= memory.address && memory.reason[0],
	      "attack: more than RLIMIT_MEMLOCK: %s", memory.reason);
	ioctl(file, TACT_BARE_MEMORY_REMOVE, &memory);
	done = add_here_and_there(file, arena, &memory);
	check(done >= LIMIT_PAGES / 2 && done < PLACES && errno == ENOMEM && memory.reason[0],
	      "attack: page tables count as pinned: %lu pages, one by one: %s", done,
	      memory.reason);
	close(file);
	check(!ioctl(second, TACT_BARE_MEMORY_ADD,
		     &(struct tact_bare_memory){.address = (uintptr_t)arena,
						.bytes = TACT_BARE_PAGE}),
	      "attack: and end with the file");
	return checks_failed();
}

static uint64_t idle(struct ring3 *self)
{
	for (;;)
		ring3_call(TACT_BARE_CALL_HALT, 0);
	return self->core;
}

static void __attribute__((noreturn)) swallow(uint32_t cpu, size_t bytes)
{
	int file = ring3_open(), score = open("/proc/self/oom_score_adj", O_WRONLY);
	struct ring3 *self = ring3_take(file, cpu);
	struct tact_bare_memory memory = {.bytes = bytes};

	if (write(score, "1000", 4) != 4)
		_exit(2);
	ring3_add_all(file);
	ring3_start(self, idle);
	owner_begin(self);
	memory.address = (uintptr_t)mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	_exit(ioctl(file, TACT_BARE_MEMORY_ADD, &memory) == -1 && errno == ENOMEM ? 0 : 1);
}

/* Linux ends the program, or refuses the memory: both are right. */
int case_gorge(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		swallow(cpu, (count > 2 ? strtoul(words[2], NULL, 10) : 4096) << 20);
	waitpid(child, &status, 0);
	check(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : status == 0,
	      "gorge: not more than there is (status %x)", status);
	check(cpu_comes_back(cpu), "gorge: the CPU is back");
	return checks_failed();
}

int case_attack(int count, char **words)
{
	int status = 1;
	pid_t child = fork();

	if (child == 0)
		_exit(spread());
	waitpid(child, &status, 0);
	check(status == 0, "attack: by nobody (status %x)", status);
	rival(count > 1 ? (uint32_t)atoi(words[1]) : 1, count > 2 ? atof(words[2]) : 1);
	return checks_failed();
}
