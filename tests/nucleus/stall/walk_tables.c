/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls with many timers and many names. */
#include "walk.h"

#include <stdio.h>

#include "base/timerq.h"

#define TIMERS 1000000u
#define NAMES  20000u

static tact_sem_t sem;

static void sleep_until_due(void *unused)
{
	static tact_time_t due;

	(void)unused;
	if (!due.ns)
		due.ns = tact_now().ns + 10 * TEST_MS;
	(void)tact_task_sleep_until(tact_at(due));
}

static void on_timer(void *unused)
{
	(void)unused;
}

static void timers(void *unused)
{
	tact_time_t at = {tact_now().ns + 1000 * TEST_MS};
	tact_timer_t timer;

	(void)unused;
	for (uint32_t i = 0; i < TIMERS; i++) {
		expect_ok(tact_timer_create(NULL, on_timer, NULL, 0, &timer));
		expect_ok(tact_timer_start(timer, tact_at(at), 0));
	}
	COUNT("tact_timer_stop", tact_timer_stop(timer));
	COUNT("tact_timer_start", tact_timer_start(timer, tact_at(at), 0));
	COUNT("tact_timer_discard", tact_timer_discard(timer));
	sections_count("timers due");
	expect_ok(tact_task_sleep_until(tact_at((tact_time_t){at.ns + TEST_MS})));
	walk_let_end();
	sections_count("sleepers due");
	walk_spawn(sleep_until_due, WAITERS);
	walk_let_end();
}

static void sleep_until_passed(void *due)
{
	(void)tact_task_sleep_until(tact_at(*(tact_time_t *)due));
}

static void sleep_for_long(void *unused)
{
	(void)unused;
	(void)tact_task_sleep_until(TEST_LONG);
}

/* Eight releases that have to wait are not reported to the running task, as many as are looked at:
 * its next call finds them. */
static void passed_over(void *unused)
{
	tact_time_t due = {tact_now().ns + 100 * TEST_MS};
	struct tact_task_attr attr = {
		.priority = 10, .flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN, .stack_bytes = 16384};

	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	walk_spawn(sleep_for_long, WAITERS);
	for (uint32_t i = 0; i < BASE_TIMERQ_LOOKS; i++)
		expect_ok(tact_task_spawn(&attr, sleep_until_passed, &due, NULL));
	expect_ok(tact_task_sleep(20 * TEST_MS));
	tact_compute(100 * TEST_MS);
	COUNT("tact_sem_post after eight were passed over", tact_sem_post(sem));
}

static void names(void *unused)
{
	char name[TACT_NAME_BYTES];
	tact_object_t found;

	(void)unused;
	walk_count_stop();
	for (uint32_t i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "name-%u", i);
		expect_ok(tact_sem_create(name, 0, 1, 0, NULL));
	}
	COUNT("tact_find", tact_find("name-0", TACT_NOWAIT, &found));
	COUNT("tact_sem_create with a name", tact_sem_create("another", 0, 1, 0, &sem));
	COUNT("tact_sem_delete with a name", tact_sem_delete(sem));
}

static void find_it(void *unused)
{
	tact_object_t found;

	(void)unused;
	(void)tact_find("to come", TEST_LONG, &found);
}

static void finders(void *unused)
{
	(void)unused;
	walk_spawn(find_it, WALK_MANY);
	COUNT("tact_sem_create with a name wanted", tact_sem_create("to come", 0, 1, 0, &sem));
	COUNT("tact_sem_delete with a name found", tact_sem_delete(sem));
}

WALK(names)
WALK(finders)
WALK(timers)
WALK(passed_over)
