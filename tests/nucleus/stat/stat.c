/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Statistics of CPUs and marks in the trace. */
#include "test.h"

TASK_TEST_CPUS(2, a_cpu_tells_what_it_does)
{
	struct tact_cpu_info before = {0};
	struct tact_cpu_info after = {0};

	expect_ok(tact_cpu_inquire(0, &before));
	expect_eq(before.tasks, 2);
	expect_true(before.pool_used_bytes < before.pool_total_bytes);
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), NULL));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.objects, before.objects + 1);
	expect_true(after.switches > before.switches);
	expect_true(after.idle_ns > before.idle_ns);
	expect_eq(after.faults, 0);
	expect_ok(tact_cpu_inquire(1, &after));
	expect_true(after.messages > 0);
	expect_ok(tact_cpu_inquire(1, NULL));
	expect_error(tact_cpu_inquire(2, &after), TACT_ENXIO);
}

TASK_TEST(marks_are_for_real_time_cpus)
{
	expect_ok(tact_trace_mark(1, 2));
	expect_ok(tact_trace_enable(0, 0));
	expect_ok(tact_trace_mark(1, 2));
	expect_ok(tact_trace_enable(0, 1));
	expect_error(tact_trace_enable(1, 1), TACT_ENXIO);
}

TEST(a_linux_thread_leaves_no_marks)
{
	expect_error(tact_trace_mark(1, 2), TACT_EPERM);
}

TEST_UNSTARTED(nothing_to_tell_before_the_start)
{
	expect_error(tact_cpu_inquire(0, NULL), TACT_EPERM);
	expect_error(tact_trace_enable(0, 1), TACT_EPERM);
}

static void sleep_a_while(void *arg)
{
	(void)arg;
	expect_ok(tact_task_sleep(TEST_MS));
}

TEST_UNSTARTED(cpu_that_waits_for_no_instant_spins_nothing_away)
{
	struct tact_config config = {.gravity.idle_ns = 1000};
	struct tact_cpu_info info = {0};

	if (!test_on_sim())
		test_skip("a real CPU may stay awake for the next call");
	expect_ok(test_start(&config, NULL));
	for (int i = 0; i < 10; i++)
		expect_ok(tact_cpu_inquire(0, &info));
	expect_eq(info.spun_ns, 0);
	/* Before an instant the CPU spins exactly as long as gravity says. */
	test_join(test_spawn(10, sleep_a_while, NULL));
	expect_ok(tact_cpu_inquire(0, &info));
	expect_true(info.spun_ns > 0 && info.spun_ns <= 1000);
	/* And in virtual time no other program takes the CPU. */
	expect_eq(info.gap_max_ns, 0);
	expect_eq(info.wake_late_max_ns, 0);
	expect_ok(tact_stop());
}
