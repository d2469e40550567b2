/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks and time: sleep, periods, overruns. */
#include "alchemy_test.h"

static RT_TASK task;

static void sleep_all(void *arg)
{
	RTIME before = rt_timer_read();

	(void)arg;
	expect_ok(rt_task_sleep(0));
	expect_ok(rt_task_sleep(TEST_MS));
	expect_true(rt_timer_read() - before >= TEST_MS);
	expect_ok(rt_task_sleep_until(before + 3 * TEST_MS));
	expect_true(rt_timer_read() >= before + 3 * TEST_MS);
	expect_error(rt_task_sleep_until(before), ETIMEDOUT);
}

TEST(sleep_takes_its_time)
{
	sleep_all(NULL); /* main() may, too */
	spawn(&task, 20, sleep_all, NULL);
	join(&task);
}

static void sleep_long(void *arg)
{
	(void)arg;
	expect_error(rt_task_sleep(10000 * TEST_MS), EINTR);
	mark("broken");
	expect_error(rt_task_sleep_until(TM_INFINITE), EINTR);
	mark("broken");
}

TEST(unblocking_ends_sleep)
{
	spawn(&task, 20, sleep_long, NULL);
	for (int i = 0; i < 2; i++) {
		until_status(&task, XNDELAY);
		expect_ok(rt_task_unblock(&task));
	}
	join(&task);
	expect_marks("broken broken");
}

static void beat(void *arg)
{
	RTIME first = rt_timer_read() + 2 * TEST_MS;
	unsigned long overruns = 7;

	(void)arg;
	expect_error(rt_task_wait_period(&overruns), EWOULDBLOCK);
	expect_eq(overruns, 7);
	expect_error(rt_task_set_periodic(NULL, 1, TEST_MS), ETIMEDOUT);
	expect_error(rt_task_set_periodic(NULL, TM_NOW, 999), EINVAL);
	expect_ok(rt_task_set_periodic(NULL, first, 10 * TEST_MS));
	for (int i = 0; i < 3; i++) {
		int error = rt_task_wait_period(&overruns);

		/* A busy machine may be late. */
		expect_true(error == 0 || (!test_on_sim() && error == -ETIMEDOUT));
		expect_true(rt_timer_read() >= first + (RTIME)i * 10 * TEST_MS);
		if (!error)
			expect_eq(overruns, 0);
	}
	expect_ok(rt_task_set_periodic(rt_task_self(), TM_NOW, TEST_MS));
	(void)rt_task_wait_period(NULL);
	rt_timer_spin(3 * TEST_MS + TEST_MS / 2);
	expect_error(rt_task_wait_period(&overruns), ETIMEDOUT);
	expect_true(overruns >= 3);
	if (test_on_sim())
		expect_eq(overruns, 3);
	expect_ok(rt_task_set_periodic(NULL, TM_NOW, TM_INFINITE));
	expect_error(rt_task_wait_period(NULL), EWOULDBLOCK);
}

TEST(periods_are_kept_and_missed_ones_told)
{
	spawn(&task, 20, beat, NULL);
	join(&task);
}

static void beat_until_broken(void *arg)
{
	(void)arg;
	expect_error(rt_task_wait_period(NULL), EINTR);
	mark("broken");
}

TEST(another_one_makes_it_periodic)
{
	expect_ok(rt_task_create(&task, NULL, 0, 20, T_JOINABLE));
	expect_ok(rt_task_set_periodic(&task, TM_NOW, 10000 * TEST_MS));
	expect_ok(rt_task_start(&task, beat_until_broken, NULL));
	until_status(&task, XNDELAY);
	expect_ok(rt_task_unblock(&task));
	join(&task);
	expect_marks("broken");
}
