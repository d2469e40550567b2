/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks as programs written for Xenomai 2 ask for them. */
#include "alchemy_test.h"

#include <trank/native/task.h>

static void mark_name(void *name)
{
	mark(name);
}

TEST(a_task_created_suspended_runs_when_it_is_resumed)
{
	RT_TASK first, second;

	expect_ok(rt_task_create(&first, NULL, 0, 30, T_SUSP | T_JOINABLE));
	expect_ok(rt_task_start(&first, mark_name, "created"));
	expect_ok(rt_task_spawn(&second, NULL, 0, 20, T_SUSP | T_JOINABLE, mark_name, "spawned"));
	expect_ok(rt_task_sleep(TEST_MS));
	mark("slept");
	expect_ok(rt_task_resume(&second));
	join(&second);
	expect_ok(rt_task_resume(&first));
	join(&first);
	expect_marks("slept spawned created");
}

static void become_periodic(void *named)
{
	const RTIME first = rt_timer_read() + 5 * TEST_MS;

	expect_ok(rt_task_set_periodic(named ? rt_task_self() : NULL, first, 2 * TEST_MS));
	expect_true(rt_timer_read() >= first);
	expect_ok(rt_task_wait_period(NULL));
	expect_true(rt_timer_read() >= first + 2 * TEST_MS);
	/* From now on, and no more: neither waits. */
	expect_ok(rt_task_set_periodic(NULL, TM_NOW, 1000 * TEST_MS));
	expect_ok(rt_task_set_periodic(NULL, rt_timer_read() + 1000 * TEST_MS, TM_INFINITE));
	expect_true(rt_timer_read() < first + 1000 * TEST_MS);
}

TEST(who_makes_itself_periodic_has_waited_for_the_first_date)
{
	RT_TASK task;

	expect_ok(rt_task_spawn(&task, NULL, 0, 20, T_JOINABLE, become_periodic, NULL));
	join(&task);
	expect_ok(rt_task_spawn(&task, NULL, 0, 20, T_JOINABLE, become_periodic, ""));
	join(&task);
}

static void pass_periods(void *unused)
{
	(void)unused;
	expect_ok(rt_task_sleep(TEST_MS));
	expect_ok(rt_task_wait_period(NULL));
}

TEST(who_makes_another_one_periodic_does_not_wait)
{
	const RTIME first = rt_timer_read() + 5000 * TEST_MS;
	RT_TASK task;

	expect_ok(rt_task_spawn(&task, NULL, 0, 20, T_JOINABLE, pass_periods, NULL));
	expect_ok(rt_task_set_periodic(&task, first, TEST_MS));
	expect_true(rt_timer_read() < first);
	expect_ok(rt_task_delete(&task));
}

TEST(no_entry_is_refused)
{
	RT_TASK task;

	expect_error(rt_task_spawn(&task, NULL, 0, 20, 0, NULL, NULL), EINVAL);
}
