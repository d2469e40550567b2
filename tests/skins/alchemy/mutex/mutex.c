/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes: owning, waiting by priority, inheritance, an owner's end, refusals. */
#include "alchemy_test.h"

#include <alchemy/mutex.h>
#include <alchemy/sem.h>

static RT_MUTEX mutex;
static RT_SEM go;

static void recurse(void *arg)
{
	RT_MUTEX_INFO info;

	(void)arg;
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_true(rt_task_same(&info.owner, &NO_ALCHEMY_TASK));
	expect_str(info.name, "lock");
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_acquire(&mutex, TM_NONBLOCK));
	expect_ok(rt_mutex_acquire_until(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_acquire_timed(&mutex, NULL));
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_true(rt_task_same(&info.owner, rt_task_self()));
	expect_error(rt_mutex_delete(&mutex), EBUSY);
	for (int i = 0; i < 4; i++)
		expect_ok(rt_mutex_release(&mutex));
	expect_error(rt_mutex_release(&mutex), EPERM);
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_true(rt_task_same(&info.owner, &NO_ALCHEMY_TASK));
	expect_ok(rt_mutex_inquire(&mutex, NULL));
	expect_ok(rt_mutex_delete(&mutex));
}

TEST(owner_acquires_again_and_releases_as_often)
{
	RT_TASK task;

	expect_ok(rt_mutex_create(&mutex, "lock"));
	spawn(&task, 20, recurse, NULL);
	join(&task);
}

static void hold(void *arg)
{
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_sem_p(&go, TM_INFINITE));
	if (arg)
		mark(arg);
	expect_ok(rt_mutex_release(&mutex));
}

static void hold_and_lose(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_sem_p(&go, TM_INFINITE));
	expect_error(rt_mutex_release(&mutex), EIDRM);
	expect_error(rt_mutex_acquire(&mutex, TM_INFINITE), EIDRM);
}

static void want(void *arg)
{
	int error = rt_mutex_acquire(&mutex, TM_INFINITE);

	mark(error == -EINTR ? "broken" : error == -EIDRM ? "deleted" : error ? "other" : arg);
	if (!error)
		expect_ok(rt_mutex_release(&mutex));
}

static void holder(RT_TASK *task, int prio, void *arg)
{
	expect_ok(rt_sem_create(&go, NULL, 0, S_FIFO));
	expect_ok(rt_mutex_create(&mutex, NULL));
	spawn_waiter(task, prio, hold, arg);
}

TEST(waiters_are_served_by_priority_and_lend_theirs)
{
	RT_TASK owner;
	RT_TASK low;
	RT_TASK high;
	RT_TASK_INFO info;

	holder(&owner, 10, "owner");
	spawn_waiter(&low, 20, want, "low");
	spawn_waiter(&high, 30, want, "high");
	expect_ok(rt_task_inquire(&owner, &info));
	expect_eq(info.prio, 10);
	expect_eq(info.stat.cprio, 30);
	expect_true(info.stat.status & XNBOOST);
	expect_ok(rt_sem_v(&go));
	join(&owner);
	join(&high);
	join(&low);
	expect_marks("owner high low");
}

static void try_all(void *arg)
{
	RTIME then = rt_timer_read() + TEST_MS;
	struct timespec date = date_of(then);

	(void)arg;
	expect_error(rt_mutex_acquire(&mutex, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_mutex_acquire_until(&mutex, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_mutex_acquire_timed(&mutex, &(struct timespec){0, 0}), EWOULDBLOCK);
	expect_error(rt_mutex_acquire(&mutex, TEST_MS), ETIMEDOUT);
	expect_error(rt_mutex_acquire_until(&mutex, then), ETIMEDOUT);
	expect_error(rt_mutex_acquire_timed(&mutex, &date), ETIMEDOUT);
	expect_error(rt_mutex_acquire_timed(&mutex, &(struct timespec){0, -1}), EINVAL);
	expect_error(rt_mutex_release(&mutex), EPERM);
}

TEST(waits_end_in_time)
{
	RT_TASK owner;
	RT_TASK other;

	holder(&owner, 10, NULL);
	spawn(&other, 20, try_all, NULL);
	join(&other);
	expect_ok(rt_sem_v(&go));
	join(&owner);
}

TEST(unblocking_breaks_a_wait)
{
	RT_TASK owner;
	RT_TASK other;

	holder(&owner, 10, "owner");
	spawn_waiter(&other, 20, want, "other");
	expect_error(rt_mutex_delete(&mutex), EBUSY);
	expect_ok(rt_task_unblock(&other));
	join(&other);
	expect_ok(rt_sem_v(&go));
	join(&owner);
	expect_marks("broken owner");
	expect_ok(rt_mutex_delete(&mutex));
}

/* The service refuses it: only a task that acquires it at that moment may lose it in this way. */
TEST(deletion_under_a_waiter_is_told)
{
	RT_TASK owner;
	RT_TASK other;
	tact_object_t native;

	expect_ok(rt_sem_create(&go, NULL, 0, S_FIFO));
	expect_ok(rt_mutex_create(&mutex, "gone"));
	spawn_waiter(&owner, 10, hold_and_lose, NULL);
	spawn_waiter(&other, 20, want, "other");
	expect_ok(tact_find("mutex:gone", TACT_NOWAIT, &native));
	expect_ok(tact_delete(native));
	join(&other);
	expect_ok(rt_sem_v(&go));
	join(&owner);
	expect_marks("deleted");
	expect_error(rt_mutex_acquire(&mutex, TM_INFINITE), EPERM);
}

static void die_holding(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
}

static void inherit(void *arg)
{
	(void)arg;
	expect_error(rt_mutex_acquire(&mutex, TM_INFINITE), EOWNERDEAD);
	expect_ok(rt_mutex_release(&mutex));
	/* It is as good as before. */
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_release(&mutex));
}

TEST(end_of_an_owner_is_told)
{
	RT_TASK task;

	expect_ok(rt_mutex_create(&mutex, NULL));
	spawn(&task, 20, die_holding, NULL);
	join(&task);
	spawn(&task, 20, inherit, NULL);
	join(&task);
}

static RT_MUTEX second;

static void other_way(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&second, TM_INFINITE));
	expect_ok(rt_sem_p(&go, TM_INFINITE));
	expect_error(rt_mutex_acquire(&mutex, TM_INFINITE), EDEADLK);
	expect_ok(rt_mutex_release(&second));
}

static void one_way(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_acquire(&second, TM_INFINITE));
	expect_ok(rt_mutex_release(&second));
	expect_ok(rt_mutex_release(&mutex));
}

TEST(circle_is_refused)
{
	RT_TASK one;
	RT_TASK other;

	expect_ok(rt_sem_create(&go, NULL, 0, S_FIFO));
	expect_ok(rt_mutex_create(&mutex, NULL));
	expect_ok(rt_mutex_create(&second, NULL));
	spawn_waiter(&other, 20, other_way, NULL);
	spawn_waiter(&one, 20, one_way, NULL);
	expect_ok(rt_sem_v(&go));
	join(&other);
	join(&one);
}

static void *plain_thread(void *arg)
{
	expect_error(rt_mutex_acquire(&mutex, TM_INFINITE), EPERM);
	expect_error(rt_mutex_release(&mutex), EPERM);
	return arg;
}

static void use_in_handler(void *unused)
{
	RT_MUTEX_INFO info;
	RT_MUTEX other;

	(void)unused;
	expect_error(rt_mutex_create(&other, NULL), EPERM);
	expect_error(rt_mutex_acquire(&mutex, TM_NONBLOCK), EPERM);
	expect_error(rt_mutex_release(&mutex), EPERM);
	expect_error(rt_mutex_inquire(&mutex, &info), EPERM);
	expect_error(rt_mutex_delete(&mutex), EPERM);
}

TEST(only_tasks_own_mutexes)
{
	expect_ok(rt_mutex_create(&mutex, NULL));
	test_in_handler(use_in_handler, NULL);
	in_plain_thread(plain_thread, NULL);
}

static void expect_bad(RT_MUTEX *bad)
{
	RT_MUTEX_INFO info;

	expect_error(rt_mutex_delete(bad), EINVAL);
	expect_error(rt_mutex_acquire(bad, TM_NONBLOCK), EINVAL);
	expect_error(rt_mutex_acquire_until(bad, TM_NONBLOCK), EINVAL);
	expect_error(rt_mutex_acquire_timed(bad, NULL), EINVAL);
	expect_error(rt_mutex_release(bad), EINVAL);
	expect_error(rt_mutex_inquire(bad, &info), EINVAL);
}

TEST(bad_arguments_are_refused)
{
	RT_MUTEX other = {0};

	expect_error(rt_mutex_create(NULL, NULL), EINVAL);
	expect_bad(NULL);
	expect_bad(&other);
	expect_ok(rt_mutex_create(&mutex, "one"));
	expect_error(rt_mutex_create(&other, "one"), EEXIST);
	expect_ok(rt_mutex_bind(&other, "one", TM_NONBLOCK));
	expect_ok(rt_mutex_unbind(&other));
	expect_bad(&other);
	expect_error(rt_mutex_bind(&other, "two", TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_mutex_delete(&mutex));
	expect_bad(&mutex);
}
