/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs from a grammar: fuzz CPU SECONDS SEED [DEVICE]. Each is a process with three
 * threads. They make calls on the device, map it, change the memory under it, fork, exec, debug and
 * close, and write into the user part, while the core runs code that does the same, or no code at
 * all. Then the program ends, or is stopped, or killed. Fields mostly have the values that a call
 * needs, so that calls get far, and sometimes any value. Whatever comes back, the CPU returns to
 * Linux, and Linux continues. The seed repeats the programs, not their interleaving.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "chance.h"
#include "grammar.h"
#include "odd.h"
#include "stranger.h"

#define ARENA_PAGES 16
#define ACTIONS     60
#define THREADS     3

/* A program: what its threads share. */
static struct {
	int file;
	uint32_t cpu;
	uint8_t *arena;
	uint64_t *user; /* or NULL */
	const char *device;
} fuzz;

#define READ  FUZZ_RULES
#define TRIED (FUZZ_RULES + 1)

/* Successful calls by rule, and after them all calls; shared with the children. */
static _Atomic uint64_t *reached;

/* The code of the core: it leaves, never leaves, or writes all over its user part. */
static void __attribute__((noreturn)) code_calls(struct chance *chance)
{
	for (;;) {
		if (fuzz.user)
			fuzz.user[chance_below(chance, 32)] = chance_edge(chance);
		ring3_call(TACT_BARE_CALL_BASE + chance_below(chance, 6), chance_edge(chance));
	}
}

static void __attribute__((noreturn)) code_loops(void)
{
	for (;;)
		fuzz.arena[0]++;
}

static uint64_t pick(struct chance *chance, enum fuzz_kind kind)
{
	const uint64_t code[] = {0, (uint64_t)code_calls, (uint64_t)code_loops,
				 (uint64_t)ring3_event_entry, (uint64_t)fuzz.arena};

	switch (chance_below(chance, 12) ? kind : (enum fuzz_kind) - 1) {
	case ZERO:
		return 0;
	case INDEX:
		return chance_below(chance, 3) ? 0 : chance_below(chance, 4);
	case CPU:
		return fuzz.cpu;
	case FLAGS:
		return chance_below(chance, 2);
	case ADDRESS:
		return (uint64_t)fuzz.arena + chance_below(chance, ARENA_PAGES) * 4096;
	case STACK:
		return (uint64_t)fuzz.arena + chance_below(chance, ARENA_PAGES + 1) * 4096;
	case BYTES:
		return (1 + chance_below(chance, 4)) * 4096;
	case CODE:
		return code[chance_below(chance, 5)];
	case SET:
		return 1;
	case PLACE:
		return chance_below(chance, 4) * 4096;
	case REVISION:
		return TACT_BARE_REVISION;
	case COUNT:
		return chance_below(chance, 26);
	default:
		return chance_edge(chance);
	}
}

static void call_on(struct chance *chance, int file)
{
	const size_t which = chance_below(chance, FUZZ_RULES);
	const struct fuzz_rule *rule = &fuzz_rules[which];
	union {
		uint8_t bytes[512];
		struct tact_bare_attach attach;
	} argument;

	memset(&argument, 0, sizeof(argument));
	if (rule->request == TACT_BARE_ATTACH)
		snprintf(argument.attach.name, sizeof(argument.attach.name), "%s", fuzz.device);
	for (const struct fuzz_field *field = rule->fields; field->bytes; field++) {
		uint64_t value = pick(chance, field->kind);

		memcpy(argument.bytes + field->offset, &value, field->bytes);
	}
	reached[TRIED]++;
	if (!ioctl(file, rule->request,
		   chance_below(chance, 24) ? (void *)&argument : (void *)chance_edge(chance)))
		reached[which]++;
}

static void act_call(struct chance *chance)
{
	call_on(chance, fuzz.file);
}

static void act_map(struct chance *chance)
{
	const uint64_t places[] = {TACT_BARE_MAP_CLOCK,
				   TACT_BARE_MAP_USER(0),
				   TACT_BARE_MAP_INFO(0),
				   TACT_BARE_MAP_BAR(0, 0),
				   TACT_BARE_MAP_BAR(0, 0) + chance_below(chance, 300) * 4096,
				   chance_edge(chance) & ~4095ull};
	uint64_t place = places[chance_below(chance, 6)];
	void *page = mmap(NULL, (size_t)4096 << (chance_below(chance, 4) ? 0 : 3),
			  chance_below(chance, 3) ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
			  fuzz.file, (off_t)place);

	if (page != MAP_FAILED && place == TACT_BARE_MAP_USER(0) && !fuzz.user)
		fuzz.user = page;
	else if (page != MAP_FAILED && chance_below(chance, 2))
		munmap(page, 4096);
}

static void act_others(struct chance *chance)
{
	uint64_t cores;

	switch (chance_below(chance, 4)) {
	case 0:
		fcntl(fuzz.file, F_SETFL, O_NONBLOCK);
		if (read(fuzz.file, &cores, chance_below(chance, 3) * 4) < 0)
			reached[READ]++;
		break;
	case 1:
		if (fuzz.user)
			fuzz.user[chance_below(chance, 32)] = chance_edge(chance);
		break;
	case 2:
		stranger_meddle(chance, fuzz.file,
				fuzz.arena + chance_below(chance, ARENA_PAGES) * 4096);
		break;
	default:
		odd_process(chance, fuzz.file, act_call);
	}
}

static void *act(void *data)
{
	struct chance chance = {*(uint64_t *)data};

	odd_wake_often();
	for (int i = 0; i < ACTIONS; i++) {
		switch (chance_below(&chance, 10)) {
		case 0:
			act_map(&chance);
			break;
		case 1:
		case 2:
			odd_memory(&chance, fuzz.file, fuzz.arena, ARENA_PAGES);
			break;
		case 3:
			act_others(&chance);
			break;
		default:
			act_call(&chance);
		}
	}
	return NULL;
}

/* Its threads' calls may unmap their own memory: a program that crashes is a test, too. */
static void __attribute__((noreturn)) one_program(struct chance *chance)
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};
	struct tact_bare_take take = {.cpu = fuzz.cpu};
	struct tact_bare_memory all = {.flags = TACT_BARE_MEMORY_ALL};
	uint64_t seeds[THREADS];
	pthread_t threads[THREADS];
	int stranger = chance_below(chance, 4) ? -1 : stranger_begin(chance, call_on);

	fuzz.file = open(TACT_BARE_DEVICE, O_RDWR);
	fuzz.arena = mmap(NULL, ARENA_PAGES * 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	odd_code(chance, fuzz.arena, ARENA_PAGES * 4096);
	for (int i = 0; i < THREADS; i++)
		seeds[i] = chance_next(chance);
	if (stranger >= 0)
		stranger_give(stranger, fuzz.file);
	stranger_become(chance);
	if (chance_below(chance, 8))
		ioctl(fuzz.file, TACT_BARE_HELLO, &hello);
	if (chance_below(chance, 4) && !ioctl(fuzz.file, TACT_BARE_TAKE, &take))
		ioctl(fuzz.file, TACT_BARE_MEMORY_ADD, &all);
	for (int i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, act, &seeds[i]);
	act(&seeds[0]);
	for (int i = 1; i < THREADS && chance_below(chance, 2); i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static void on_alarm(int number)
{
	(void)number;
}

static bool has_ended(void *data)
{
	return waitpid(*(pid_t *)data, NULL, WNOHANG) != 0;
}

/* Programs that had to be killed after seconds. */
static unsigned asleep;

static bool one_child(struct chance *chance)
{
	uint64_t until_us = chance_below(chance, 2) ? chance_below(chance, 100000) : 0;
	pid_t child = fork();

	if (child == 0)
		one_program(chance);
	chance_next(chance);
	if (until_us) {
		usleep((unsigned)until_us);
		if (until_us % 4 == 0 && !kill(child, SIGSTOP)) {
			usleep(2000);
			kill(child, SIGCONT);
			usleep(5000);
		}
		kill(child, SIGKILL);
	}
	/* Its own calls may have put it to sleep for good. */
	if (!becomes(has_ended, &child)) {
		asleep++;
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	return cpu_comes_back(fuzz.cpu);
}

int case_fuzz(int count, char **words)
{
	double end = now_ms() + 1e3 * (count > 2 ? atof(words[2]) : 10);
	struct chance chance = {count > 3 ? strtoull(words[3], NULL, 10) : 1};
	struct sigaction action = {.sa_handler = on_alarm};
	size_t rule;
	unsigned programs = 0, called = 0;
	uint64_t calls = 0;

	fuzz.cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	stranger_prepare();
	fuzz.device = count > 4 ? words[4] : "0000:00:00.0";
	reached = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGALRM, &action, NULL);
	for (; now_ms() < end; programs++) {
		if (!one_child(&chance)) {
			check(false, "fuzz: program %u: CPU %u is lost", programs, fuzz.cpu);
			return 1;
		}
		progress("fuzz: %u programs, %llu calls, %u asleep", programs + 1,
			 (unsigned long long)reached[TRIED], asleep);
	}
	for (rule = 0; rule < FUZZ_RULES; rule++) {
		printf("# %x: %llu succeeded\n", fuzz_rules[rule].request,
		       (unsigned long long)reached[rule]);
		calls += reached[rule];
		called += reached[rule] > 0;
	}
	/* Without a device, four rules cannot succeed. */
	check(programs < 20 || called + 5 >= FUZZ_RULES,
	      "fuzz: seed %s, %u programs, %llu calls, %llu done, of %u kinds out of %u",
	      count > 3 ? words[3] : "1", programs, (unsigned long long)reached[TRIED],
	      (unsigned long long)calls, called, FUZZ_RULES);
	return checks_failed();
}
