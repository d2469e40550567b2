/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Take, run with a timer, give back: cycle CPU CYCLES TICKS PERIOD_NS. Or run with a timer each
 * millisecond, while the test does things to the program: hold CPU MS. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cases.h"

static uint64_t wanted;

static uint64_t count_ticks(struct ring3 *self)
{
	self->next = ring3_ticks() + self->period_ticks;
	ring3_call(TACT_BARE_CALL_ARM, self->next);
	ring3_unmask(self);
	while (self->ticks_seen < wanted)
		ring3_spin();
	self->period_ticks = 0;
	ring3_call(TACT_BARE_CALL_ARM, 0);
	return self->ticks_seen;
}

int case_cycle(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	int cycles = count > 2 ? atoi(words[2]) : 1;
	uint64_t period_ns = count > 4 ? strtoull(words[4], NULL, 10) : 100000;
	double take_max = 0, give_max = 0;

	wanted = count > 3 ? strtoull(words[3], NULL, 10) : 100;
	for (int cycle = 0; cycle < cycles; cycle++) {
		int file = ring3_open();
		double before = now_ms();
		struct ring3 *self = ring3_take(file, cpu);
		double took = now_ms() - before;
		int result;

		self->period_ticks = period_ns * self->info->ticks_khz / 1000000;
		ring3_add_all(file);
		ring3_start(self, count_ticks);
		result = ring3_run(self);
		if (result || self->run.reason != TACT_BARE_LEFT || self->run.cause < wanted) {
			printf("not ok cycle %d: run %d reason %u cause %llu ip %llx\n", cycle,
			       result, self->run.reason, (unsigned long long)self->run.cause,
			       (unsigned long long)self->run.ip);
			return 1;
		}
		if (cycle == 0)
			printf("# late %llu/%llu/%llu ticks, timer %u at %u kHz, shots %llu early "
			       "%llu stale %llu strays %llu\n",
			       (unsigned long long)self->late_min,
			       (unsigned long long)(self->late_sum / self->ticks_seen),
			       (unsigned long long)self->late_max, self->info->timer,
			       self->info->timer_khz, (unsigned long long)self->info->shots,
			       (unsigned long long)self->info->early,
			       (unsigned long long)self->info->stale,
			       (unsigned long long)self->info->strays);
		before = now_ms();
		ring3_give(self);
		double gave = now_ms() - before;

		close(file);
		take_max = took > take_max ? took : take_max;
		give_max = gave > give_max ? gave : give_max;
		progress("cycle %d of %d", cycle + 1, cycles);
	}
	printf("# take at most %.2f ms, give at most %.2f ms\n", take_max, give_max);
	printf("ok cycle: %d times\n", cycles);
	return 0;
}

static uint64_t hold_ms;

/* Idle between the events: an emulated processor that spins takes time from the others. */
static uint64_t wait_ticks(struct ring3 *self)
{
	uint64_t ms = self->info->ticks_khz;
	uint64_t next = ring3_ticks(), seen = 0;

	/* An event whose time has passed while the core was parked comes at once. */
	for (; seen < hold_ms; seen++) {
		next += ms;
		ring3_call(TACT_BARE_CALL_ARM, next);
		do
			ring3_call(TACT_BARE_CALL_HALT, 0);
		while (!(__atomic_exchange_n(&self->user->events, 0, __ATOMIC_SEQ_CST) &
			 TACT_BARE_EVENT_TIMER));
	}
	return seen;
}

int case_hold(int count, char **words)
{
	struct ring3 *self = ring3_take(ring3_open(), count > 1 ? (uint32_t)atoi(words[1]) : 1);
	int result;

	hold_ms = count > 2 ? strtoull(words[2], NULL, 10) : 1000;
	ring3_add_all(self->file);
	ring3_start(self, wait_ticks);
	do
		result = ring3_run(self);
	while (result == -EINTR);
	check(!result && self->run.reason == TACT_BARE_LEFT && self->run.cause == hold_ms,
	      "hold: %llu ms, %llu events, parked %llu times: run %d reason %u",
	      (unsigned long long)hold_ms, (unsigned long long)self->run.cause,
	      (unsigned long long)self->info->parks, result, self->run.reason);
	printf("# %llu interrupts of Linux's\n", (unsigned long long)self->info->strays);
	ring3_give(self);
	return checks_failed();
}
