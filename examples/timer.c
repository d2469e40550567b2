/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A timer calls a function at an instant, or at many. The function is a handler: it goes before
 * all tasks, may not wait and makes no Linux call. Here it wakes a task by a semaphore.
 */
#include "example.h"

#define EXPIRIES 3

static tact_sem_t expired;
static tact_timer_t clock_timer;

static void on_timer(void *arg)
{
	int *count = (int *)arg;

	note(tact_mode() == TACT_MODE_HANDLER ? "handler: runs" : "not in a handler?");
	if (++*count == EXPIRIES)
		(void)tact_timer_stop(clock_timer);
	(void)tact_sem_post(expired);
}

static void direct(void *arg)
{
	int count = 0;

	(void)arg;
	expect(tact_sem_create(NULL, 0, EXPIRIES, TACT_FIFO, &expired), "sem");
	expect(tact_timer_create("clock", on_timer, &count, 0, &clock_timer), "timer");
	/* First after 2 ms, then every millisecond. */
	expect(tact_timer_start(clock_timer, tact_in(TACT_MS(2)), TACT_MS(1)), "start");
	for (int i = 0; i < EXPIRIES; i++)
		expect(tact_sem_wait(expired, TACT_FOREVER), "wait");
	note("task: has seen all of them");
	expect(tact_timer_delete(clock_timer), "delete");
}

int main(void)
{
	return run(1, direct);
}
