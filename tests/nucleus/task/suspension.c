/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suspension is counted and independent of waits; waits can be broken. */
#include "test.h"

static tact_sem_t sem;

static void mark_it(void *arg)
{
	mark(arg);
}

static void wait_and_mark(void *arg)
{
	int result = tact_sem_wait(sem, *(tact_timeout_t *)arg);

	mark(result == 0 ? "given" : result == -TACT_ECANCELED ? "broken" : "timeout");
}

static void suspend_self(void *arg)
{
	(void)arg;
	mark("before");
	expect_ok(tact_task_suspend(TACT_SELF));
	mark("after");
}

TASK_TEST(suspensions_are_counted)
{
	struct tact_task_info info = {0};
	tact_task_t task = test_spawn(10, mark_it, "ran");

	for (int i = 0; i < 3; i++)
		expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.suspend_count, 3);
	expect_eq(info.state, TACT_TASK_STATE_SUSPENDED);
	for (int i = 0; i < 2; i++)
		expect_ok(tact_task_resume(task));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("");
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_marks("ran");
}

TASK_TEST(count_of_suspensions_does_not_overflow)
{
	tact_task_t task = test_spawn(10, mark_it, "ran");

	for (int i = 0; i < 65535; i++)
		expect_ok(tact_task_suspend(task));
	expect_error(tact_task_suspend(task), TACT_EOVERFLOW);
	for (int i = 0; i < 65535; i++)
		expect_ok(tact_task_resume(task));
	expect_error(tact_task_resume(task), TACT_ESRCH);
	test_join(task);
}

TASK_TEST(task_suspends_itself)
{
	tact_task_t task = test_spawn(60, suspend_self, NULL);

	expect_marks("before");
	expect_ok(tact_task_resume(task));
	expect_marks("before after");
	test_join(task);
	expect_error(tact_task_resume(TACT_SELF), TACT_ESRCH);
}

TASK_TEST(wait_goes_on_while_suspended)
{
	tact_timeout_t timeout = TEST_LONG;
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(60, wait_and_mark, &timeout);
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_SUSPENDED | TACT_TASK_STATE_WAITING);
	expect_same(info.waits_for, sem);
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_SUSPENDED);
	expect_none(info.waits_for);
	expect_marks("");
	expect_ok(tact_task_resume(task));
	expect_marks("given");
	test_join(task);
}

static uint32_t is_first(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info.waits_first;
}

TASK_TEST(waiter_that_is_served_next_is_told)
{
	tact_timeout_t timeout = TEST_LONG;
	tact_task_t low, high;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	low = test_spawn(60, wait_and_mark, &timeout);
	expect_eq(is_first(low), 1);
	high = test_spawn(70, wait_and_mark, &timeout);
	expect_eq(is_first(high), 1);
	expect_eq(is_first(low), 0);
	expect_ok(tact_sem_post(sem));
	test_join(high);
	expect_eq(is_first(low), 1);
	expect_ok(tact_sem_post(sem));
	test_join(low);
	expect_marks("given given");
}

TASK_TEST(timeout_passes_while_suspended)
{
	tact_timeout_t timeout = tact_in(TEST_MS);
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(60, wait_and_mark, &timeout);
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_sleep(2 * TEST_MS));
	expect_marks("");
	expect_ok(tact_task_resume(task));
	expect_marks("timeout");
	test_join(task);
}

TASK_TEST(unblock_breaks_a_wait_and_nothing_else)
{
	tact_timeout_t timeout = TACT_FOREVER;
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(60, wait_and_mark, &timeout);
	expect_ok(tact_task_unblock(task, 0));
	expect_marks("broken");
	test_join(task);
	task = test_spawn(10, mark_it, "ran");
	expect_error(tact_task_unblock(task, 0), TACT_ESRCH);
	expect_error(tact_task_unblock((tact_task_t){0x12345}, 0), TACT_EBADF);
	test_join(task);
}

#define ACTS 11

struct acts {
	tact_task_t task;
	int result[ACTS];
};

static void act_in_handler(void *arg)
{
	struct acts *acts = arg;
	int *result = acts->result;
	tact_task_t task = acts->task;

	result[0] = tact_task_suspend(task);
	result[1] = tact_task_resume(task);
	result[2] = tact_task_set_priority(task, 70, 0, NULL);
	result[3] = tact_task_suspend(TACT_SELF);
	result[4] = tact_task_yield();
	result[5] = tact_task_lock_scheduler();
	result[6] = tact_task_set_sched(task,
					&(struct tact_sched_param){.sched_class = TACT_SCHED_FIFO});
	result[7] = tact_task_sleep(1);
	result[8] = tact_task_inquire(task, NULL);
	result[9] = tact_task_unblock(task, 0);
	result[10] = tact_task_create(NULL, NULL);
}

TEST_CPUS(2, handler_acts_on_tasks_as_far_as_it_may)
{
	static const int expected[ACTS] = {0,           0,           0,           -TACT_EPERM,
					   -TACT_EPERM, -TACT_EPERM, -TACT_EPERM, -TACT_EPERM,
					   -TACT_EPERM, -TACT_ESRCH, -TACT_EPERM};
	struct tact_task_attr attr = {.flags = TACT_TASK_SUSPENDED | TACT_ON_CPU(0)};
	struct tact_task_info info = {0};
	struct acts acts;

	expect_ok(tact_task_spawn(&attr, mark_it, "ran", &acts.task));
	test_in_handler(act_in_handler, &acts);
	for (int i = 0; i < ACTS; i++)
		if (acts.result[i] != expected[i])
			test_fail(__FILE__, __LINE__, "call %d: expected %d, actual %d", i,
				  expected[i], acts.result[i]);
	expect_ok(tact_task_inquire(acts.task, &info));
	expect_eq(info.base_priority, 70);
	expect_ok(tact_task_resume(acts.task));
	test_join(acts.task);
}
