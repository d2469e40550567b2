/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task that is deleted or cancelled while it binds, because its owner does not answer, leaves no
 * lock. */
#define _GNU_SOURCE /* gettid() */
#include "processes.h"

#include <signal.h>

#include <alchemy/queue.h>

enum { MADE, BOUND, STOPPED, DELETED, ENDED };

static RT_QUEUE queue;
static RT_QUEUE other;
static _Atomic pid_t binder;

static void own_two(void)
{
	expect_ok(rt_queue_create(&queue, "mail", 65536, 16, Q_FIFO));
	expect_ok(rt_queue_create(&other, "post", 65536, 16, Q_FIFO));
	reach(MADE);
	await(ENDED);
}

static void watch(void *arg)
{
	RT_QUEUE never;

	(void)arg;
	(void)rt_queue_bind(&never, "never", TM_INFINITE);
}

static void bind_other(void *arg)
{
	RT_QUEUE bound;

	(void)arg;
	binder = gettid();
	(void)rt_queue_bind(&bound, "post", TM_INFINITE);
}

/* It has usually reached the request that the owner does not answer. */
static void until_asked(void)
{
	while (!binder)
		usleep(1000);
	usleep(50000);
}

static void delete_the_binder(void)
{
	RT_TASK watcher;
	RT_TASK task;

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	spawn_waiter(&watcher, 10, watch, NULL);
	reach(BOUND);
	await(STOPPED);
	expect_ok(rt_task_spawn(&task, NULL, 0, 10, 0, bind_other, NULL));
	until_asked();
	expect_ok(rt_task_delete(&task));
	reach(DELETED);
	until_thread_ends(binder);
	expect_ok(rt_queue_bind(&other, "post", TM_INFINITE));
	expect_ok(rt_queue_unbind(&other));
	expect_ok(rt_task_delete(&watcher));
	reach(ENDED);
}

static void begin_with_an_owner_that_stops(void (*body)(void))
{
	pid_t owner, user;

	session_begin();
	owner = process_begin(own_two);
	await(MADE);
	user = process_begin(body);
	await(BOUND);
	expect_ok(kill(owner, SIGSTOP));
	reach(STOPPED);
	await(DELETED);
	expect_ok(kill(owner, SIGCONT));
	process_end(user);
	process_end(owner);
}

TEST_UNSTARTED(task_that_is_deleted_while_it_binds_leaves_no_lock)
{
	begin_with_an_owner_that_stops(delete_the_binder);
}

static void *bind_again(void *unused)
{
	RT_QUEUE again;

	binder = gettid();
	(void)rt_queue_bind(&again, "mail", TM_NONBLOCK);
	return unused;
}

static void cancel_the_binder(void)
{
	pthread_t thread;
	RT_QUEUE again;

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	reach(BOUND);
	await(STOPPED);
	expect_ok(pthread_create(&thread, NULL, bind_again, NULL));
	until_asked();
	expect_ok(pthread_cancel(thread));
	reach(DELETED);
	expect_ok(pthread_join(thread, NULL));
	expect_ok(rt_queue_bind(&again, "mail", TM_INFINITE));
	reach(ENDED);
}

TEST_UNSTARTED(thread_that_is_cancelled_while_it_binds_leaves_no_lock)
{
	begin_with_an_owner_that_stops(cancel_the_binder);
}
