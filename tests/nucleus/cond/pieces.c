/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Between the pieces of a broadcast: a waiter that is not told yet already waits for the mutex. The
 * body owns the mutex, and is more urgent than all waiters.
 */
#include "test.h"

#define MANY  20u
#define LOWER (TEST_PRIORITY - 10u)

static tact_cond_t cond;
static tact_mutex_t mutex, other;
static tact_task_t tasks[MANY];
static uint32_t told;

static void wait_once(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_cond_wait(cond, mutex, TEST_LONG));
	told++;
	expect_ok(tact_mutex_unlock(mutex));
}

static void wait_with_the_other(void *arg)
{
	expect_ok(tact_mutex_lock(other, TEST_LONG));
	wait_once(arg);
	expect_ok(tact_mutex_unlock(other));
}

/* The last of the waiters is a task of its own kind. */
static void begin(void (*last)(void *))
{
	expect_ok(tact_cond_create(NULL, TACT_FIFO, &cond));
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_ok(tact_mutex_create(NULL, 0, 0, &other));
	for (uint32_t i = 0; i < MANY; i++) {
		tasks[i] = test_spawn_light(LOWER, i == MANY - 1 ? last : wait_once, NULL);
		test_until_state(tasks[i], TACT_TASK_STATE_WAITING);
	}
	expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	expect_eq(tact_cond_broadcast(cond), MANY);
}

static void let_run(uint32_t tasks_left)
{
	expect_ok(tact_mutex_unlock(mutex));
	for (int i = 0; i < 1000 && told < tasks_left; i++)
		expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(told, tasks_left);
}

/* It no longer exists, so there is no task to wait for. */
static void expect_ended(tact_task_t task)
{
	expect_error(tact_task_join(task, tact_in(TEST_MS)), TACT_EIDRM);
}

TASK_TEST(task_deleted_before_it_is_told_ends_without_the_mutex)
{
	struct tact_mutex_info info = {0};

	begin(wait_once);
	expect_ok(tact_task_delete(tasks[MANY - 1]));
	expect_ok(tact_task_delete(tasks[MANY / 2]));
	/* The body keeps the mutex meanwhile. */
	expect_ended(tasks[MANY - 1]);
	expect_ended(tasks[MANY / 2]);
	let_run(MANY - 2);
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_eq(info.state, TACT_MUTEX_CONSISTENT);
}

/* The task that leaves last also removes the place of the batch. */
TASK_TEST(all_tasks_deleted_before_they_are_told_end)
{
	begin(wait_once);
	for (uint32_t i = MANY; i-- > 0;)
		expect_ok(tact_task_delete(tasks[i]));
	for (uint32_t i = 0; i < MANY; i++)
		expect_ended(tasks[i]);
	let_run(0);
}

static tact_time_t limit;

static void wait_until_the_limit(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_cond_wait(cond, mutex, tact_at(limit)));
	told++;
	expect_ok(tact_mutex_unlock(mutex));
}

TASK_TEST(timeout_after_the_broadcast_and_before_all_are_told_comes_too_late)
{
	limit = tact_time_add(tact_now(), 50 * TEST_MS);
	begin(wait_until_the_limit);
	while (tact_now().ns < limit.ns + TEST_MS)
		tact_compute(TEST_MS / 10);
	let_run(MANY);
}

static void wait_twice(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_cond_wait(cond, mutex, TEST_LONG));
	told++;
	expect_error(tact_cond_wait(cond, mutex, tact_in(20 * TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_mutex_unlock(mutex));
}

TASK_TEST(who_is_told_and_waits_anew_is_not_told_again)
{
	begin(wait_twice);
	let_run(MANY);
	test_join(tasks[MANY - 1]);
}

TASK_TEST(circle_with_one_who_is_to_be_told_is_a_deadlock)
{
	begin(wait_with_the_other);
	expect_error(tact_mutex_lock(other, TEST_LONG), TACT_EDEADLK);
	let_run(MANY);
}
