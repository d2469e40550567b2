/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alarms as they were in Xenomai 2: without a handler, waited for by tasks. */
#include "alchemy_test.h"

#include <trank/native/alarm.h>

static RT_ALARM bell;
static RT_TASK waiters[2];

static void wait_and_mark(void *name)
{
	int error = rt_alarm_wait(&bell);

	mark(error ? error == -EIDRM ? "deleted" : error == -EINTR ? "broken" : "other" : name);
}

static void ring(void)
{
	expect_ok(rt_alarm_create(&bell, "bell"));
	spawn_waiter(&waiters[0], 20, wait_and_mark, "low");
	spawn_waiter(&waiters[1], 30, wait_and_mark, "high");
}

static void join_both(void)
{
	join(&waiters[0]);
	join(&waiters[1]);
}

TEST(a_shot_wakes_all_who_wait)
{
	ring();
	expect_ok(rt_alarm_start(&bell, TEST_MS, TM_INFINITE));
	join_both();
	expect_marks("high low");
	expect_ok(rt_alarm_delete(&bell));
}

TEST(deletion_is_told_to_all_who_wait)
{
	ring();
	expect_ok(rt_alarm_delete(&bell));
	join_both();
	expect_marks("deleted deleted");
	expect_error(rt_alarm_wait(&bell), EINVAL);
}

TEST(a_wait_is_broken)
{
	expect_ok(rt_alarm_create(&bell, NULL));
	spawn_waiter(&waiters[0], 20, wait_and_mark, "rung");
	expect_ok(rt_task_unblock(&waiters[0]));
	join(&waiters[0]);
	expect_marks("broken");
	expect_ok(rt_alarm_delete(&bell));
}

static void wait_three_times(void *count)
{
	for (int i = 0; i < 3; i++) {
		expect_ok(rt_alarm_wait(&bell));
		++*(int *)count;
	}
}

TEST(periodic_ones_wake_again_and_shots_that_nobody_waits_for_are_forgotten)
{
	RT_ALARM_INFO info;
	int count = 0;

	expect_ok(rt_alarm_create(&bell, NULL));
	expect_ok(rt_alarm_start(&bell, TEST_MS, TEST_MS));
	expect_ok(rt_task_sleep(5 * TEST_MS));
	spawn(&waiters[0], 20, wait_three_times, &count);
	join(&waiters[0]);
	expect_eq(count, 3);
	expect_ok(rt_alarm_inquire(&bell, &info));
	expect_true(info.expiries >= 7);
	expect_ok(rt_alarm_delete(&bell));
}

static void wait_in_handler(void *unused)
{
	(void)unused;
	expect_error(rt_alarm_wait(&bell), EPERM);
}

static void do_nothing(void *unused)
{
	(void)unused;
}

TEST(others_are_refused)
{
	RT_ALARM other;

	expect_error(rt_alarm_create(NULL, "bell"), EINVAL);
	expect_ok(rt_alarm_create(&bell, "bell"));
	expect_error(rt_alarm_create(&other, "bell"), EEXIST);
	expect_ok(rt_alarm_create(&other, NULL, do_nothing, NULL));
	expect_error(rt_alarm_wait(&other), EINVAL);
	expect_error(rt_alarm_wait(NULL), EINVAL);
	test_in_handler(wait_in_handler, NULL);
	expect_ok(rt_alarm_delete(&other));
	expect_ok(rt_alarm_delete(&bell));
}
