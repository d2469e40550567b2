/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread that stops being a task while others see to the task, or to the thread (thread back
 * end). */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <sched.h>

#define ROUNDS 500

static _Atomic tact_task_t changing;
static _Atomic bool over;

static void *change(void *unused)
{
	uint32_t priority = 10;

	while (!over) {
		tact_task_t task = changing;

		/* It may be none any more, or not yet. */
		if (task.id)
			(void)tact_task_set_priority(task, priority, 0, NULL);
		priority = priority % 200 + 10;
	}
	return unused;
}

TEST(thread_that_is_let_go_has_the_policy_that_it_had)
{
	struct tact_task_attr attr = {.name = "leaves", .priority = 20};
	pthread_t thread;

	if (test_on_sim())
		test_skip("virtual time has no system calls");
	expect_eq(sched_getscheduler(0), SCHED_OTHER);
	expect_ok(pthread_create(&thread, NULL, change, NULL));
	for (int i = 0; i < test_lives(ROUNDS); i++) {
		tact_task_t task;

		expect_ok(tact_task_attach(&attr, &task));
		changing = task;
		expect_ok(tact_task_sleep(1000));
		expect_ok(tact_task_detach());
		expect_eq(sched_getscheduler(0), SCHED_OTHER);
	}
	over = true;
	expect_ok(pthread_join(thread, NULL));
}

static _Atomic int steps;

/* Neither call is a cancellation point: each one finishes. */
static void *come_and_go(void *arg)
{
	struct tact_task_attr attr = {.name = "cancelled", .priority = 20};

	expect_ok(pthread_cancel(pthread_self()));
	expect_ok(tact_task_attach(&attr, NULL));
	steps = 1;
	expect_ok(tact_task_detach());
	steps = 2;
	pthread_testcancel();
	steps = 3;
	return arg;
}

TEST(thread_that_was_cancelled_becomes_a_task_and_a_plain_thread_again)
{
	pthread_t thread;
	void *result;

	if (test_on_sim())
		test_skip("virtual time has no system calls");
	expect_ok(pthread_create(&thread, NULL, come_and_go, NULL));
	expect_ok(pthread_join(thread, &result));
	expect_true(result == PTHREAD_CANCELED);
	expect_eq(steps, 2);
}
