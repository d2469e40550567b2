/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A semaphore in handlers: what is allowed there, what is refused, and the way to another CPU. */
#include "test.h"

#include <tactus/skin.h>

static tact_sem_t sem;

static void use_here(void *unused)
{
	struct tact_sem_info info = {0};

	const uint64_t word = 0;
	int32_t units;

	(void)unused;
	expect_eq(tact_mode(), TACT_MODE_HANDLER);
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_sem_wait(sem, TEST_LONG), TACT_EPERM);
	expect_error(tact_sem_wait_while(sem, TEST_LONG, &word, 0), TACT_EPERM);
	expect_error(tact_sem_wait_units(sem, TEST_LONG, &units), TACT_EPERM);
	expect_error(tact_sem_wait_units(sem, TACT_NOWAIT, &units), TACT_EAGAIN);
	expect_error(tact_sem_wait(sem, TACT_FOREVER), TACT_EPERM);
	expect_error(tact_sem_create(NULL, 0, 1, 0, NULL), TACT_EPERM);
	expect_error(tact_sem_delete(sem), TACT_EPERM);
	expect_ok(tact_sem_reset(sem, 2));
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.value, 2);
	expect_eq(tact_sem_flush(sem), 0);
	expect_eq(tact_sem_broadcast(sem), 0);
}

TEST(handler_never_waits_creates_or_deletes)
{
	expect_ok(tact_sem_create(NULL, 0, 2, TACT_FIFO, &sem));
	test_in_handler(use_here, NULL);
}

static void wait_and_mark(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("given");
}

static void post_and_mark(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_post(sem));
	mark("posted");
}

TEST(task_woken_by_a_handler_runs_after_it)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	task = test_spawn(TACT_PRIORITY_MAX, wait_and_mark, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	test_in_handler(post_and_mark, NULL);
	test_join(task);
	expect_marks("posted given");
}

static void use_afar(void *unused)
{
	(void)unused;
	/* No caller waits for the result: an overflow there is not seen here. */
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_post(sem));
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_sem_inquire(sem, NULL), TACT_EPERM);
}

TEST_CPUS(2, post_from_a_handler_travels_to_the_home)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(1), &sem));
	task = test_spawn_on(1, 10, wait_and_mark, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	test_in_handler(use_afar, NULL);
	test_join(task);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EAGAIN);
}

static void exhaust_records(void *unused)
{
	int result = 0;

	(void)unused;
	/* The other CPU may be quick enough to send the records back meanwhile. */
	for (int i = 0; i < 1000 && !result; i++)
		result = tact_sem_post(sem);
	expect_true(result == 0 || result == -TACT_ENOMEM);
}

TEST_CPUS(2, records_for_casts_come_back)
{
	expect_ok(tact_sem_create(NULL, 0, 100000, TACT_ON_CPU(1), &sem));
	for (int i = 0; i < 3; i++) {
		test_in_handler(exhaust_records, NULL);
		expect_ok(tact_sem_wait(sem, TEST_LONG));
	}
}
