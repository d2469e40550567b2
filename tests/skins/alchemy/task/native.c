/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks as programs written for Xenomai 2 ask for them. */
#include "alchemy_test.h"

#include <trank/native/task.h>

static uint32_t first_cpu(void)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(0, &info));
	return info.linux_cpu;
}

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
	/* Beginning now, and ended: neither call waits. */
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

static bool is_in_linux(void)
{
	return tact_mode() == TACT_MODE_SECONDARY;
}

static void change_modes(void *unused)
{
	RT_TASK_INFO info;
	int before = -1;

	(void)unused;
	expect_ok(rt_task_set_mode(T_PRIMARY, T_SHIELD, NULL));
	expect_true(is_in_linux() || test_on_sim());
	expect_ok(rt_task_set_mode(0, T_PRIMARY | T_WARNSW, &before));
	expect_eq(before, 0);
	expect_true(!is_in_linux());
	expect_ok(rt_task_set_mode(T_WARNSW, 0, &before));
	expect_eq(before, T_WARNSW);
	expect_ok(rt_task_slice(NULL, TEST_MS));
	expect_ok(rt_task_set_mode(0, T_RRB, NULL));
	expect_ok(rt_task_inquire(NULL, &info));
	expect_true(info.stat.status & XNRRB);
	expect_ok(rt_task_set_mode(T_RRB, 0, NULL));
	expect_ok(rt_task_inquire(NULL, &info));
	expect_true(!(info.stat.status & XNRRB));
	expect_error(rt_task_set_mode(T_SUSP, 0, NULL), EINVAL);
}

TEST(modes_of_old_are_understood)
{
	RT_TASK task;

	expect_ok(rt_task_spawn(&task, NULL, 0, 20, T_JOINABLE, change_modes, NULL));
	join(&task);
}

static void mark_cpu(void *unused)
{
	RT_TASK_INFO info;

	(void)unused;
	expect_ok(rt_task_inquire(NULL, &info));
	mark(info.stat.cpu == (int)first_cpu() ? "first" : "other");
}

/* Whichever it asks for: the program has but one. */
TEST(a_task_may_ask_for_cpus)
{
	RT_TASK task;

	for (int cpu = 0; cpu < 8; cpu++) {
		expect_ok(
			rt_task_spawn(&task, NULL, 0, 20, T_CPU(cpu) | T_JOINABLE, mark_cpu, NULL));
		join(&task);
	}
	expect_marks("first first first first first first first first");
	expect_error(rt_task_create(&task, NULL, 0, 20, T_CPU(6) | 0x100), EINVAL);
}

static void *become_a_task(void *unused)
{
	expect_ok(rt_task_shadow(NULL, NULL, 20, T_CPU(0) | T_FPU));
	mark_cpu(NULL);
	return unused;
}

TEST(a_thread_may_ask_for_cpus)
{
	in_plain_thread(become_a_task, NULL);
	expect_marks("first");
}

TEST(no_entry_is_refused)
{
	RT_TASK task;

	expect_error(rt_task_spawn(&task, NULL, 0, 20, 0, NULL, NULL), EINVAL);
}
