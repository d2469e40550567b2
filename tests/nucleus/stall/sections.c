/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Instructions of nucleus sections, by the trap flag. */
#define _GNU_SOURCE
#include "sections.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "hal/hal.h"
#include "kernel/cpu.h"

#define NAMES     1024
#define TRAP_FLAG 0x100

struct running {
	uint32_t instructions;
	const char *how; /* began it: NULL a call */
	bool open;
};

static struct running section;
static bool stepped; /* it is being stepped through */
/* Shared by the processes of a test's cases. */
static struct shared {
	struct section table[NAMES];
	unsigned names;
} * shared;
static const char *current_name;
static uint32_t first_ones = UINT32_MAX;
static uint64_t steps_most;
/* For this process, by place in the table. */
static uint32_t begun[NAMES];
static uint64_t steps[NAMES];

__attribute__((constructor)) static void share(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		abort();
}

static void step(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	(void)signal;
	(void)info;
	if (!stepped || ++section.instructions >= SECTIONS_COUNT_MAX)
		interrupted->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

static struct section *entry_of(const char *how)
{
	char name[sizeof(shared->table[0].name)];

	snprintf(name, sizeof(name), "%s%s%s", current_name, how ? " " : "", how ? how : "");
	for (unsigned i = 0; i < shared->names; i++)
		if (strcmp(shared->table[i].name, name) == 0)
			return &shared->table[i];
	if (shared->names == NAMES)
		abort();
	memcpy(shared->table[shared->names].name, name, sizeof(name));
	return &shared->table[shared->names++];
}

/* SplitMix64's finalizer: of `of` numbers in a row one on average. */
static bool is_drawn(uint64_t number, uint32_t of)
{
	number *= UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return (number ^ number >> 31) % of == 0;
}

/* After the first ones as many of each twice as many. */
static bool is_stepped(uint32_t place)
{
	const uint32_t number = begun[place]++;

	if (number < first_ones)
		return true;
	return steps[place] < steps_most && is_drawn(number, number / first_ones);
}

static void begin(const char *how)
{
	section.instructions = 0;
	section.how = how;
	section.open = current_name && is_stepped((uint32_t)(entry_of(how) - shared->table));
}

static void end(void)
{
	struct section *entry;

	if (!section.open)
		return;
	section.open = false;
	if (!current_name)
		return;
	entry = entry_of(section.how);
	entry->times++;
	entry->steps += section.instructions;
	steps[entry - shared->table] += section.instructions;
	if (section.instructions <= entry->instructions)
		return;
	entry->instructions = section.instructions;
	entry->number = begun[entry - shared->table];
}

void sections_before(const char *function)
{
	stepped = false;
	if (strcmp(function, "hal_leave") == 0 || strcmp(function, "hal_idle") == 0)
		end();
}

int sections_after(const char *function)
{
	/* The thread that continues is on the CPU, or is a Linux thread beside it. */
	if (!hal_stalled())
		return 0;
	if (function && strcmp(function, "hal_enter") == 0)
		begin(NULL);
	if (function && strcmp(function, "hal_idle") == 0)
		begin("idle");
	stepped = section.open && section.instructions < SECTIONS_COUNT_MAX;
	return stepped;
}

int sections_turn(const struct nuc_cpu *cpu)
{
	stepped = false;
	/* Whatever led to it: the CPU looks for all events here. */
	if (!cpu->current) {
		end();
		begin("idle");
	}
	return sections_after(NULL);
}

int sections_begin(const char *function)
{
	begin(strcmp(function, "nuc_upcall_event") == 0 ? "event" : "idle");
	return sections_after(NULL);
}

void sections_end(const char *function)
{
	(void)function;
	stepped = false;
	end();
}

void sections_count(const char *name)
{
	struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigaction(SIGTRAP, &action, NULL);
	current_name = name;
}

void sections_limit(uint32_t first, uint64_t most)
{
	first_ones = first;
	steps_most = most;
}

static int longer(const void *a, const void *b)
{
	const struct section *one = a;
	const struct section *other = b;

	return (one->instructions < other->instructions) -
	       (one->instructions > other->instructions);
}

const struct section *sections_rank(unsigned rank)
{
	qsort(shared->table, shared->names, sizeof(shared->table[0]), longer);
	return rank < shared->names ? &shared->table[rank] : NULL;
}

uint32_t sections_longest(const char *name)
{
	uint32_t longest = 0;

	for (unsigned i = 0; i < shared->names; i++)
		if (strncmp(shared->table[i].name, name, strlen(name)) == 0 &&
		    shared->table[i].instructions > longest)
			longest = shared->table[i].instructions;
	return longest;
}
