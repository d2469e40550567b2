// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Random calls on the device with random arguments, random mappings of it, random words in the user
 * part: fuzz CPU CALLS SEED. Whatever comes back, Linux and the machine go on.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static uint64_t state;

static uint64_t random64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Values that matter more often than any others. */
static uint64_t word(uint32_t cpu)
{
	static const uint64_t edges[] = {0,
					 1,
					 2,
					 30,
					 31,
					 32,
					 4096,
					 0x1000000,
					 0x7fffffffe000,
					 0x7ffffffff000,
					 0x800000000000,
					 0xffff800000000000,
					 0xffffffff80000000,
					 UINT64_MAX,
					 UINT32_MAX};

	switch (random64() % 4) {
	case 0:
		return edges[random64() % (sizeof(edges) / sizeof(*edges))];
	case 1:
		return cpu;
	case 2:
		return random64() % 64;
	default:
		return random64();
	}
}

static uint64_t ring3_random(struct ring3 *self)
{
	for (int i = 0; i < 200; i++) {
		uint64_t *user = (uint64_t *)self->user;

		user[random64() % 32] = word(1);
		ring3_call(TACT_BARE_CALL_BASE + random64() % 4, word(1));
	}
	return 0;
}

static void one_program(uint32_t cpu, int calls)
{
	static uint64_t argument[64];
	int file = ring3_open();
	struct ring3 *self = random64() % 4 ? ring3_take(file, cpu) : NULL;

	if (self && random64() % 4) {
		ring3_add_all(file);
		ring3_start(self, ring3_random);
		ualarm(20000, 0);
		ring3_run(self);
	}
	for (int i = 0; i < calls; i++) {
		unsigned request = TACT_BARE_HELLO + (unsigned)(random64() % 10);

		for (unsigned k = 0; k < 26; k++)
			argument[k] = word(cpu);
		/* Half of them with plausible beginnings. */
		if (random64() % 2) {
			argument[0] = request == TACT_BARE_TAKE ? cpu : 0;
			if (request == TACT_BARE_MEMORY_ADD || request == TACT_BARE_MEMORY_REMOVE)
				argument[0] = (uint64_t)argument & ~4095ull;
		}
		ualarm(20000, 0);
		ioctl(file, request, random64() % 16 ? (void *)argument : (void *)word(cpu));
		if (random64() % 8 == 0) {
			void *page = mmap(NULL, 4096 << random64() % 3, (int)(random64() % 8),
					  random64() % 4 ? MAP_SHARED : MAP_PRIVATE, file,
					  (off_t)(random64() % 70 * 4096));

			if (page != MAP_FAILED && random64() % 2)
				munmap(page, 4096);
		}
		if (random64() % 16 == 0 && self)
			((uint64_t *)self->user)[random64() % 32] = word(cpu);
		if (random64() % 64 == 0) {
			uint64_t cores;

			fcntl(file, F_SETFL, O_NONBLOCK);
			if (read(file, &cores, 8) < 0)
				fcntl(file, F_SETFL, 0);
		}
		if (random64() % 64 == 0 && fork() == 0)
			_exit(0);
	}
}

static void on_alarm(int number)
{
	(void)number;
}

static bool is_online(void *data)
{
	return cpu_is_online(*(uint32_t *)data);
}

int case_fuzz(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	int calls = count > 2 ? atoi(words[2]) : 1000;
	struct sigaction action = {.sa_handler = on_alarm};
	int programs = 0;

	state = 88172645463325252ull + (count > 3 ? strtoull(words[3], NULL, 10) : 1);
	sigaction(SIGALRM, &action, NULL);
	for (; calls > 0; calls -= 50, programs++) {
		int status = 0;
		pid_t child = fork();

		if (child == 0) {
			one_program(cpu, 50);
			_exit(0);
		}
		waitpid(child, &status, 0);
		random64();
		if (!becomes(is_online, &cpu)) {
			check(false, "fuzz: program %d: CPU %u is lost", programs, cpu);
			return 1;
		}
	}
	check(true, "fuzz: %d programs", programs);
	return checks_failed();
}
