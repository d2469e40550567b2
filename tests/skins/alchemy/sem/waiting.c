/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for a semaphore: order, timeouts of every form, deletion, unblocking. */
#include "test.h"

#include <errno.h>

#include <alchemy/sem.h>

static RT_SEM sem;

static void wait_and_mark(void *name)
{
	int error = rt_sem_p(&sem, TM_INFINITE);

	mark(error ? error == -EIDRM ? "deleted" : error == -EINTR ? "broken" : "other" : name);
}

static void three_waiters(tact_task_t task[3])
{
	static char *const name[] = {"low", "high", "middle"};
	static const uint32_t priority[] = {10, 30, 20};

	for (int i = 0; i < 3; i++) {
		task[i] = test_spawn(priority[i], wait_and_mark, name[i]);
		test_until_state(task[i], TACT_TASK_STATE_WAITING);
	}
}

static void join_three(const tact_task_t task[3])
{
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
}

static void give_three(void *arg)
{
	(void)arg;
	for (int i = 0; i < 3; i++) {
		expect_ok(rt_sem_v(&sem));
		/* Those released run: their priorities are lower. */
		expect_ok(tact_task_sleep(TEST_MS));
	}
}

static void order_of(int mode, const char *expected)
{
	tact_task_t task[3];
	RT_SEM_INFO info;

	expect_ok(rt_sem_create(&sem, NULL, 0, mode));
	three_waiters(task);
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.nwaiters, 3);
	test_join(test_spawn(TEST_PRIORITY, give_three, NULL));
	join_three(task);
	expect_marks(expected);
}

TEST(fifo_serves_in_order_of_arrival)
{
	order_of(S_FIFO, "low high middle");
}

TEST(prio_serves_by_priority)
{
	order_of(S_PRIO, "high middle low");
}

TEST(broadcast_releases_all)
{
	tact_task_t task[3];
	RT_SEM_INFO info;

	expect_ok(rt_sem_create(&sem, NULL, 0, S_PRIO));
	three_waiters(task);
	expect_ok(rt_sem_broadcast(&sem));
	join_three(task);
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.count, 0);
	expect_eq(info.nwaiters, 0);
}

TEST(pulse_releases_one)
{
	tact_task_t task[3];
	RT_SEM_INFO info;

	expect_ok(rt_sem_create(&sem, NULL, 0, S_PRIO | S_PULSE));
	three_waiters(task);
	expect_ok(rt_sem_v(&sem));
	test_join(task[1]);
	expect_marks("high");
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.nwaiters, 2);
	expect_ok(rt_sem_broadcast(&sem));
	test_join(task[0]);
	test_join(task[2]);
}

TEST(deletion_tells_waiters)
{
	tact_task_t task[3];

	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	three_waiters(task);
	expect_ok(rt_sem_delete(&sem));
	join_three(task);
	expect_marks("deleted deleted deleted");
	expect_error(rt_sem_p(&sem, TM_INFINITE), EINVAL);
}

TEST(unblocking_breaks_the_wait)
{
	tact_task_t task;

	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	task = test_spawn(10, wait_and_mark, "given");
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_marks("broken");
}

static void times_out(void)
{
	RTIME before = rt_timer_read();
	struct timespec date;
	RTIME then;

	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	expect_error(rt_sem_p(&sem, TEST_MS), ETIMEDOUT);
	expect_true(rt_timer_read() - before >= TEST_MS);
	then = rt_timer_read() + TEST_MS;
	expect_error(rt_sem_p_until(&sem, then), ETIMEDOUT);
	expect_true(rt_timer_read() >= then);
	then = rt_timer_read() + TEST_MS;
	date = (struct timespec){(time_t)(then / 1000000000), (long)(then % 1000000000)};
	expect_error(rt_sem_p_timed(&sem, &date), ETIMEDOUT);
	expect_true(rt_timer_read() >= then);
	/* Dates that have passed. */
	expect_error(rt_sem_p_until(&sem, 1), ETIMEDOUT);
	expect_error(rt_sem_p_timed(&sem, &(struct timespec){0, 1}), ETIMEDOUT);
	/* No waiting. */
	expect_error(rt_sem_p_until(&sem, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_sem_p_timed(&sem, &(struct timespec){0, 0}), EWOULDBLOCK);
	/* Without need. */
	for (int i = 0; i < 3; i++)
		expect_ok(rt_sem_v(&sem));
	expect_ok(rt_sem_p(&sem, TEST_MS));
	expect_ok(rt_sem_p_until(&sem, TM_INFINITE));
	expect_ok(rt_sem_p_timed(&sem, NULL));
}

TASK_TEST(task_waits_as_long_as_told)
{
	times_out();
}

TEST(main_waits_as_long_as_told)
{
	times_out();
}
