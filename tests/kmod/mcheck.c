/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Machine checks on a core, which the emulator's monitor makes when the console says so: mcheck CPU
 * own|other. The core's own check ends it, and Linux gets the CPU back, twice. A broadcast check is
 * counted, and the program continues.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* Without an end of its own, because the guest's time that the host needs is not known. */
static uint64_t wait_for_check(struct ring3 *self)
{
	const volatile uint64_t *checks = &self->info->machine_checks;
	uint64_t next = ring3_ticks();

	while (!*checks) {
		next += self->info->ticks_khz;
		ring3_call(TACT_BARE_CALL_ARM, next);
		ring3_call(TACT_BARE_CALL_HALT, 0);
		__atomic_store_n(&self->user->events, 0, __ATOMIC_SEQ_CST);
	}
	return *checks;
}

static void announce(const char *text)
{
	FILE *console = fopen("/dev/console", "w");

	if (!console)
		return;
	fprintf(console, "kmod-test: %s\n", text);
	fclose(console);
}

static struct ring3 *begin(int file, uint32_t cpu, const char *text)
{
	struct ring3 *self = ring3_take(file, cpu);

	ring3_add_all(file);
	ring3_start(self, wait_for_check);
	announce(text);
	return self;
}

/* If the first one were still under way for the processor, this one would reset the machine. */
static void check_second(int file, uint32_t cpu)
{
	struct ring3 *self = begin(file, cpu, "a second check may come");
	int result = ring3_run(self);

	check(result == -EIO, "mcheck: a second one ends it too: %s", strerror(-result));
	ring3_give(self);
}

int case_mcheck(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	bool own = count > 2 && strcmp(words[2], "own") == 0;
	int file = ring3_open(), result;
	struct ring3 *self = begin(file, cpu, "a machine check may come");

	result = ring3_run(self);
	if (own)
		check(result == -EIO, "mcheck: RUN tells: %s", strerror(-result));
	else
		check(!result && self->run.reason == TACT_BARE_LEFT && self->run.cause == 1,
		      "mcheck: another CPU's is counted: run %d reason %u cause %llu", result,
		      self->run.reason, (unsigned long long)self->run.cause);
	ring3_give(self);
	check(cpu_is_online(cpu), "mcheck: the CPU is back");
	if (own)
		check_second(file, cpu);
	else
		ring3_give(ring3_take(file, cpu));
	check(cpu_is_online(cpu), "mcheck: it can be taken anew");
	return checks_failed();
}
