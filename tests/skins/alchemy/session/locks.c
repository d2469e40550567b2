/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes and conditions between processes: owners that die, and what both refuse. */
#define _GNU_SOURCE /* rand_r() */
#include "processes.h"

#include <stdlib.h>

#include <alchemy/cond.h>
#include <alchemy/mutex.h>

enum { MADE, BOUND, OWNED, WAITS, DONE, MAY_END };

static RT_MUTEX mutex;
static RT_COND cond;

static void make(void)
{
	expect_ok(rt_mutex_create(&mutex, "door"));
	expect_ok(rt_cond_create(&cond, "bell"));
	reach(MADE);
}

static void bind_both(void)
{
	expect_ok(rt_mutex_bind(&mutex, "door", TM_INFINITE));
	expect_ok(rt_cond_bind(&cond, "bell", TM_INFINITE));
}

static void in_task(void (*body)(void *))
{
	RT_TASK task;

	spawn(&task, 20, body, NULL);
	join(&task);
}

static void own(void)
{
	make();
	await(MAY_END);
	expect_ok(rt_cond_delete(&cond));
	expect_ok(rt_mutex_delete(&mutex));
}

static void lock_and_refuse(void *arg)
{
	struct timespec past = {0, 1};
	RT_MUTEX_INFO info;
	RT_COND_INFO about;

	(void)arg;
	expect_error(rt_mutex_release(&mutex), EPERM);
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_acquire(&mutex, TM_NONBLOCK));
	expect_ok(rt_mutex_release(&mutex));
	expect_error(rt_mutex_delete(&mutex), EBUSY);
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_str(info.name, "door");
	expect_error(rt_cond_wait(&cond, &mutex, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_cond_wait(&cond, &mutex, TEST_MS), ETIMEDOUT);
	expect_error(rt_cond_wait_until(&cond, &mutex, rt_timer_read() + TEST_MS), ETIMEDOUT);
	expect_error(rt_cond_wait_timed(&cond, &mutex, &past), ETIMEDOUT);
	expect_ok(rt_cond_signal(&cond));
	expect_ok(rt_cond_broadcast(&cond));
	expect_ok(rt_cond_inquire(&cond, &about));
	expect_str(about.name, "bell");
	expect_ok(rt_mutex_release(&mutex));
	expect_error(rt_mutex_release(&mutex), EPERM);
	expect_error(rt_cond_wait(&cond, &mutex, TEST_MS), EPERM);
}

static void use_all(void)
{
	RT_MUTEX own_one;

	bind_both();
	in_task(lock_and_refuse);
	/* Neither a thread that is no task, nor two objects of two processes. */
	expect_error(rt_mutex_acquire(&mutex, TM_INFINITE), EPERM);
	expect_ok(rt_mutex_create(&own_one, "window"));
	expect_error(rt_cond_wait(&cond, &own_one, TEST_MS), EINVAL);
	expect_ok(rt_mutex_unbind(&mutex));
	expect_ok(rt_cond_unbind(&cond));
	expect_error(rt_mutex_release(&mutex), EINVAL);
	expect_error(rt_cond_signal(&cond), EINVAL);
	reach(MAY_END);
}

TEST_UNSTARTED(bound_ones_have_all_services)
{
	owner_and_user(own, use_all);
	expect_eq(names_left(), 0);
}

static void lock_and_stay(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	reach(OWNED);
	pause();
}

static void stay(void)
{
	bind_both();
	in_task(lock_and_stay);
}

static void lock_after_death(void *arg)
{
	(void)arg;
	expect_error(rt_mutex_acquire(&mutex, TEST_MS), ETIMEDOUT);
	reach(WAITS);
	/* It owns it nevertheless; told once. */
	expect_error(rt_mutex_acquire(&mutex, TM_INFINITE), EOWNERDEAD);
	expect_ok(rt_mutex_release(&mutex));
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_release(&mutex));
}

static void inherit(void)
{
	bind_both();
	await(OWNED);
	in_task(lock_after_death);
}

TEST_UNSTARTED(lock_of_a_killed_process_passes_on)
{
	session_begin();
	pid_t owner = process_begin(own);
	pid_t holder = process_begin(stay);
	pid_t heir = process_begin(inherit);

	await(WAITS);
	process_kill(holder);
	process_end(heir);
	reach(MAY_END);
	process_end(owner);
}

static void lock_and_return(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
}

static void lock_when_free(void *arg)
{
	int error = rt_mutex_acquire(&mutex, TM_INFINITE);

	(void)arg;
	expect_true(error == 0 || error == -EOWNERDEAD);
	expect_ok(rt_mutex_release(&mutex));
}

static void lose_task(void)
{
	bind_both();
	in_task(lock_and_return);
	in_task(lock_when_free);
	reach(MAY_END);
}

TEST_UNSTARTED(lock_of_a_task_that_ends_passes_on)
{
	owner_and_user(own, lose_task);
}

static void wait_for_bell(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	reach(WAITS);
	expect_ok(rt_cond_wait(&cond, &mutex, TM_INFINITE));
	expect_ok(rt_mutex_release(&mutex));
}

static void wait_in_task(void)
{
	bind_both();
	in_task(wait_for_bell);
}

static void ring(void *arg)
{
	(void)arg;
	/* A waiter gives up the mutex when its wait begins. */
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_cond_broadcast(&cond));
	expect_ok(rt_mutex_release(&mutex));
}

static void ring_for_two(void)
{
	make();
	while (reached(WAITS) < 2)
		usleep(1000);
	in_task(ring);
	await(MAY_END);
}

TEST_UNSTARTED(broadcast_reaches_waiters_of_other_processes)
{
	session_begin();
	pid_t owner = process_begin(ring_for_two);
	pid_t one = process_begin(wait_in_task);
	pid_t two = process_begin(wait_in_task);

	process_end(one);
	process_end(two);
	reach(MAY_END);
	process_end(owner);
}

static void turn_over(void *arg)
{
	(void)arg;
	reach(BOUND);
	for (;;) {
		int error = rt_mutex_acquire(&mutex, TM_INFINITE);

		expect_true(error == 0 || error == -EOWNERDEAD);
		(void)rt_cond_wait(&cond, &mutex, TEST_MS / 4);
		expect_ok(rt_mutex_release(&mutex));
	}
}

static void turn(void)
{
	bind_both();
	in_task(turn_over);
}

static void check_at_the_end(void)
{
	make();
	await(MAY_END);
	in_task(lock_when_free);
	for (int i = 0; i < 20000 && rt_cond_delete(&cond); i++)
		usleep(1000);
	expect_error(rt_cond_delete(&cond), EINVAL);
	expect_ok(rt_mutex_delete(&mutex));
}

TEST_UNSTARTED(processes_that_are_killed_at_any_moment_leave_no_lock)
{
	session_begin();
	pid_t owner = process_begin(check_at_the_end);

	await(MADE);
	kill_at_random(turn, 12, 77, BOUND);
	reach(MAY_END);
	process_end(owner);
}
