/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags: 64 bits that are set and waited for in any combination. One task waits for all of
 * its bits together, another one for any of them.
 */
#include "example.h"

#define OIL      1u
#define WATER    2u
#define PRESSURE 4u

static tact_event_t ready;

static void wait_all(void *arg)
{
	(void)arg;
	expect(tact_event_wait(ready, OIL | WATER, TACT_EVENT_ALL, TACT_FOREVER, NULL), "wait");
	note("all: oil and water are there");
}

static void wait_any(void *arg)
{
	uint64_t which;

	(void)arg;
	expect(tact_event_wait(ready, WATER | PRESSURE, TACT_EVENT_ANY | TACT_EVENT_CONSUME,
			       TACT_FOREVER, &which),
	       "wait");
	note(which & PRESSURE ? "any: pressure is there" : "any: water is there");
}

static void direct(void *arg)
{
	tact_task_t all = make("all", 220, 0);
	tact_task_t any = make("any", 210, 0);

	(void)arg;
	expect(tact_event_create("ready", 0, TACT_PRIO, &ready), "event");
	/* Both are more urgent than this task: each runs until it waits. */
	expect(tact_task_start(all, wait_all, NULL), "start");
	expect(tact_task_start(any, wait_any, NULL), "start");
	note("set oil");
	expect(tact_event_set(ready, OIL), "set");
	note("set pressure");
	expect(tact_event_set(ready, PRESSURE), "set");
	note("set water");
	expect(tact_event_set(ready, WATER), "set");
	expect(tact_task_join(all, TACT_FOREVER), "join");
	expect(tact_task_join(any, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
