/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task that makes no call of Tactus does not keep others of higher priority away. */
#include "test.h"

static void compute_then_mark(void *arg)
{
	expect_ok(tact_sem_post(*(tact_sem_t *)arg));
	tact_compute(30 * TEST_MS);
	mark("low");
}

static void wake_and_mark(void *arg)
{
	expect_ok(tact_sem_wait(*(tact_sem_t *)arg, TEST_LONG));
	for (int i = 0; i < 3; i++)
		expect_ok(tact_task_sleep(2 * TEST_MS));
	mark("high");
}

/* The computing task calls the other one: on one CPU no other task could do so while it runs. */
TEST(a_computing_task_is_preempted)
{
	tact_task_t task[2];
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task[0] = test_spawn(20, wake_and_mark, &sem);
	task[1] = test_spawn(10, compute_then_mark, &sem);
	test_join(task[0]);
	test_join(task[1]);
	expect_marks("high low");
}
