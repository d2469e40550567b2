/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The count: bounds, broadcast, flush, reset, inquiry, names. */
#include "test.h"

#include <tactus/registry.h>

static tact_sem_t sem;

static void wait_and_mark(void *arg)
{
	int result = tact_sem_wait(sem, TEST_LONG);

	(void)arg;
	mark(result == 0 ? "given" : result == -TACT_ECANCELED ? "broken" : "other");
}

static void two_waiters(tact_task_t task[2])
{
	for (int i = 0; i < 2; i++) {
		task[i] = test_spawn(10, wait_and_mark, NULL);
		test_until_state(task[i], TACT_TASK_STATE_WAITING);
	}
}

TASK_TEST(count_stops_at_its_maximum)
{
	expect_ok(tact_sem_create(NULL, 1, 2, TACT_FIFO, &sem));
	expect_ok(tact_sem_post(sem));
	expect_error(tact_sem_post(sem), TACT_EOVERFLOW);
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EAGAIN);
}

TEST(broadcast_releases_all_and_leaves_the_count)
{
	struct tact_sem_info info = {0};
	tact_task_t task[2];

	expect_ok(tact_sem_create(NULL, 0, 5, TACT_FIFO, &sem));
	two_waiters(task);
	expect_eq(tact_sem_broadcast(sem), 2);
	test_join(task[0]);
	test_join(task[1]);
	expect_marks("given given");
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.value, 0);
	expect_eq(tact_sem_broadcast(sem), 0);
}

TEST(flush_breaks_all_waits)
{
	tact_task_t task[2];

	expect_ok(tact_sem_create(NULL, 0, 5, TACT_FIFO, &sem));
	two_waiters(task);
	expect_eq(tact_sem_flush(sem), 2);
	test_join(task[0]);
	test_join(task[1]);
	expect_marks("broken broken");
}

TEST(reset_sets_the_count)
{
	struct tact_sem_info info = {0};
	tact_task_t task[2];

	expect_ok(tact_sem_create(NULL, 0, 5, TACT_FIFO, &sem));
	expect_ok(tact_sem_reset(sem, 5));
	expect_error(tact_sem_reset(sem, 6), TACT_EINVAL);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.value, 5);
	expect_ok(tact_sem_reset(sem, 0));
	two_waiters(task);
	expect_error(tact_sem_reset(sem, 1), TACT_EBUSY);
	expect_ok(tact_sem_reset(sem, 0));
	expect_eq(tact_sem_flush(sem), 2);
	test_join(task[0]);
	test_join(task[1]);
}

TEST(inquiry_tells_all)
{
	struct tact_sem_info info = {0};
	tact_task_t task[2];
	tact_object_t found;

	expect_ok(tact_sem_create("valve", 0, 7, TACT_PRIO, &sem));
	two_waiters(task);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_str(info.name, "valve");
	expect_eq(info.value, 0);
	expect_eq(info.maximum, 7);
	expect_eq(info.waiters, 2);
	expect_ok(tact_sem_inquire(sem, NULL));
	expect_ok(tact_find("valve", TACT_NOWAIT, &found));
	expect_same(found, sem);
	expect_eq(tact_sem_broadcast(sem), 2);
	test_join(task[0]);
	test_join(task[1]);
}

TEST(pulse_is_lost_without_a_waiter)
{
	struct tact_sem_info info = {0};
	tact_task_t task[2];

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO | TACT_SEM_PULSE, &sem));
	for (int i = 0; i < 3; i++)
		expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.value, 0);
	expect_eq(info.maximum, 0);
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EAGAIN);
	two_waiters(task);
	expect_ok(tact_sem_post(sem));
	test_join(task[0]);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, 1);
	expect_ok(tact_sem_post(sem));
	test_join(task[1]);
	expect_error(tact_sem_reset(sem, 1), TACT_EINVAL);
	expect_ok(tact_sem_reset(sem, 0));
}
