/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Instructions of nucleus sections, by the trap flag. */
#define _GNU_SOURCE
#include "sections.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "hal/hal.h"

#define NAMES     512
#define TRAP_FLAG 0x100

struct running {
	uint32_t instructions;
	const char *how; /* began it: NULL a call */
	bool open;
};

static struct running section;
static bool stepped; /* it is being stepped through */
static struct section table[NAMES];
static unsigned names;
static const char *current_name;
static uint32_t times_limit = UINT32_MAX;

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
	char name[sizeof(table[0].name)];

	snprintf(name, sizeof(name), "%s%s%s", current_name, how ? " " : "", how ? how : "");
	for (unsigned i = 0; i < names; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	if (names == NAMES)
		abort();
	memcpy(table[names].name, name, sizeof(name));
	return &table[names++];
}

static void begin(const char *how)
{
	section.instructions = 0;
	section.how = how;
	section.open = current_name && entry_of(how)->times < times_limit;
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
	if (section.instructions > entry->instructions)
		entry->instructions = section.instructions;
}

void sections_before(const char *function)
{
	stepped = false;
	if (strcmp(function, "hal_leave") == 0 || strcmp(function, "hal_idle") == 0)
		end();
}

int sections_after(const char *function)
{
	/* Whoever goes on is on the CPU, or a thread of Linux beside it. */
	if (!hal_stalled())
		return 0;
	if (function && strcmp(function, "hal_enter") == 0)
		begin(NULL);
	if (function && strcmp(function, "hal_idle") == 0)
		begin("idle");
	stepped = section.open && section.instructions < SECTIONS_COUNT_MAX;
	return stepped;
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

void sections_limit(uint32_t times)
{
	times_limit = times;
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
	qsort(table, names, sizeof(table[0]), longer);
	return rank < names ? &table[rank] : NULL;
}

uint32_t sections_longest(const char *name)
{
	uint32_t longest = 0;

	for (unsigned i = 0; i < names; i++)
		if (strncmp(table[i].name, name, strlen(name)) == 0 &&
		    table[i].instructions > longest)
			longest = table[i].instructions;
	return longest;
}
