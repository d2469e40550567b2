/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting from elsewhere with a timeout when the home CPU has no timer left, as all objects do. */
#include "test.h"

#include <tactus/alarm.h>

#define FILLERS 20000

static tact_queue_t queue;
static tact_queue_t fillers[FILLERS];
static uint32_t filled;

static void fill_pool(void)
{
	while (filled < FILLERS && !tact_queue_create(NULL, 64, 8, 0, &fillers[filled]))
		filled++;
}

static void nothing(void *unused)
{
	(void)unused;
}

/* A task cannot make the pool grow: it takes what is left, then turns some of it into timers until
 * none more can be reserved. */
static void take_all_timers(void *unused)
{
	int result = 0;

	(void)unused;
	fill_pool();
	/* Every other one, so that the holes stay small: an alarm fits, a longer table does not. */
	for (uint32_t i = 0; i < filled && result != -TACT_ENOMEM; i += 2) {
		expect_ok(tact_queue_delete(fillers[i]));
		result = tact_alarm_create(NULL, nothing, NULL, 0, NULL);
	}
	expect_eq(result, -TACT_ENOMEM);
	/* Nor is there room for a table in the last hole, nor are this task's own timers free. */
	fill_pool();
	expect_ok(tact_task_suspend(TACT_SELF));
}

TEST(timeout_without_a_timer_left_is_refused)
{
	expect_ok(tact_queue_create(NULL, 8, 1, 0, &queue));
	test_until_state(test_spawn_light(10, take_all_timers, NULL), TACT_TASK_STATE_SUSPENDED);
	expect_error(tact_queue_receive(queue, NULL, 0, NULL, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_queue_receive(queue, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_queue_send(queue, "x", 1, 0, TACT_FOREVER));
	expect_error(tact_queue_send(queue, "x", 1, 0, TEST_LONG), TACT_ENOMEM);
}
