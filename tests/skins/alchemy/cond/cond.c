/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conditions: signals, order, timeouts, refusals; the mutex comes back whatever happens. */
#include "alchemy_test.h"

#include <alchemy/cond.h>

static RT_COND cond;
static RT_MUTEX mutex;

static void create(void)
{
	expect_ok(rt_cond_create(&cond, "true"));
	expect_ok(rt_mutex_create(&mutex, NULL));
}

static void await(void *arg)
{
	RT_MUTEX_INFO info;
	int error;

	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	error = rt_cond_wait(&cond, &mutex, TM_INFINITE);
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_true(rt_task_same(&info.owner, rt_task_self()));
	mark(error == -EINTR ? "broken" : error == -EIDRM ? "deleted" : error ? "other" : arg);
	expect_ok(rt_mutex_release(&mutex));
	expect_ok(rt_mutex_release(&mutex));
}

static void two_waiters(RT_TASK task[2])
{
	create();
	spawn_waiter(&task[0], 20, await, "low");
	spawn_waiter(&task[1], 30, await, "high");
}

TEST(signal_releases_the_most_urgent)
{
	RT_TASK task[2];

	two_waiters(task);
	expect_error(rt_cond_delete(&cond), EBUSY);
	expect_ok(rt_cond_signal(&cond));
	join(&task[1]);
	expect_ok(rt_cond_signal(&cond));
	join(&task[0]);
	expect_marks("high low");
	/* No task waits: the signal is lost. */
	expect_ok(rt_cond_signal(&cond));
	expect_ok(rt_cond_delete(&cond));
}

TEST(broadcast_releases_all)
{
	RT_TASK task[2];

	two_waiters(task);
	expect_ok(rt_cond_broadcast(&cond));
	join(&task[1]);
	join(&task[0]);
	expect_marks("high low");
	expect_ok(rt_cond_broadcast(&cond));
}

TEST(unblocking_breaks_the_wait)
{
	RT_TASK task[2];

	two_waiters(task);
	expect_ok(rt_task_unblock(&task[0]));
	join(&task[0]);
	expect_ok(rt_cond_signal(&cond));
	join(&task[1]);
	expect_marks("broken high");
}

/* The service refuses it: only a task that begins to wait at that moment may be told of the
 * deletion. */
TEST(deletion_under_a_waiter_is_told)
{
	RT_TASK task[2];
	tact_object_t native;

	two_waiters(task);
	expect_ok(tact_find("cond:true", TACT_NOWAIT, &native));
	expect_ok(tact_delete(native));
	join(&task[1]);
	join(&task[0]);
	expect_marks("deleted deleted");
}

static void times(void *arg)
{
	RTIME then;
	struct timespec date;
	RT_MUTEX other;

	(void)arg;
	expect_error(rt_cond_wait(&cond, &mutex, TEST_MS), EPERM);
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_error(rt_cond_wait(&cond, &mutex, TEST_MS), ETIMEDOUT);
	then = rt_timer_read() + TEST_MS;
	expect_error(rt_cond_wait_until(&cond, &mutex, then), ETIMEDOUT);
	expect_true(rt_timer_read() >= then);
	date = date_of(rt_timer_read() + TEST_MS);
	expect_error(rt_cond_wait_timed(&cond, &mutex, &date), ETIMEDOUT);
	expect_error(rt_cond_wait(&cond, &mutex, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_cond_wait_until(&cond, &mutex, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_cond_wait_timed(&cond, &mutex, &(struct timespec){0, 0}), EWOULDBLOCK);
	expect_error(rt_cond_wait_timed(&cond, &mutex, &(struct timespec){0, -1}), EINVAL);
	expect_ok(rt_mutex_create(&other, NULL));
	expect_ok(rt_mutex_delete(&other));
	expect_error(rt_cond_wait(&cond, &other, TEST_MS), EINVAL);
	expect_ok(rt_mutex_release(&mutex));
}

TEST(waits_end_in_time)
{
	RT_TASK task;

	create();
	spawn(&task, 20, times, NULL);
	join(&task);
}

static void use_in_handler(void *unused)
{
	RT_COND other;

	(void)unused;
	expect_error(rt_cond_create(&other, NULL), EPERM);
	expect_error(rt_cond_delete(&cond), EPERM);
	expect_error(rt_cond_wait(&cond, &mutex, TM_INFINITE), EPERM);
	expect_ok(rt_cond_signal(&cond));
	expect_ok(rt_cond_broadcast(&cond));
	expect_ok(rt_cond_inquire(&cond, NULL));
}

TEST(handler_signals_and_does_not_wait)
{
	create();
	test_in_handler(use_in_handler, NULL);
}

static void expect_bad(RT_COND *bad)
{
	RT_COND_INFO info;

	expect_error(rt_cond_delete(bad), EINVAL);
	expect_error(rt_cond_signal(bad), EINVAL);
	expect_error(rt_cond_broadcast(bad), EINVAL);
	expect_error(rt_cond_wait(bad, &mutex, TEST_MS), EINVAL);
	expect_error(rt_cond_wait_until(bad, &mutex, TM_INFINITE), EINVAL);
	expect_error(rt_cond_wait_timed(bad, &mutex, NULL), EINVAL);
	expect_error(rt_cond_inquire(bad, &info), EINVAL);
}

TEST(bad_arguments_are_refused)
{
	RT_COND other = {0};
	RT_COND_INFO info;

	expect_error(rt_cond_create(NULL, NULL), EINVAL);
	expect_bad(NULL);
	expect_bad(&other);
	create();
	expect_ok(rt_cond_inquire(&cond, &info));
	expect_str(info.name, "true");
	expect_error(rt_cond_create(&other, "true"), EEXIST);
	expect_ok(rt_cond_bind(&other, "true", TM_NONBLOCK));
	expect_ok(rt_cond_signal(&other));
	expect_ok(rt_cond_unbind(&other));
	expect_bad(&other);
	expect_error(rt_cond_bind(&other, "false", TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_cond_delete(&cond));
	expect_bad(&cond);
}
