/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits that rt_task_unblock() breaks, for names and messages; and mutexes whose owner has ended.
 */
#include "alchemy_test.h"

#include <alchemy/buffer.h>
#include <alchemy/cond.h>
#include <alchemy/heap.h>
#include <alchemy/mutex.h>
#include <alchemy/pipe.h>
#include <alchemy/queue.h>

static void break_it(void (*body)(void *))
{
	RT_TASK task;

	spawn_waiter(&task, 20, body, NULL);
	expect_ok(rt_task_unblock(&task));
	join(&task);
}

static void bind_buffer(void *arg)
{
	RT_BUFFER object;

	(void)arg;
	expect_error(rt_buffer_bind(&object, "never", TM_INFINITE), EINTR);
}

static void bind_heap(void *arg)
{
	RT_HEAP object;

	(void)arg;
	expect_error(rt_heap_bind(&object, "never", TM_INFINITE), EINTR);
}

static void bind_pipe(void *arg)
{
	RT_PIPE object;

	(void)arg;
	expect_error(rt_pipe_bind(&object, "never", TM_INFINITE), EINTR);
}

static void bind_queue(void *arg)
{
	RT_QUEUE object;

	(void)arg;
	expect_error(rt_queue_bind(&object, "never", TM_INFINITE), EINTR);
}

TEST(waits_for_names_are_broken)
{
	break_it(bind_buffer);
	break_it(bind_heap);
	break_it(bind_pipe);
	break_it(bind_queue);
}

static void receive(void *arg)
{
	RT_TASK_MCB in = {.size = 0};

	(void)arg;
	expect_error(rt_task_receive(&in, TM_INFINITE), EINTR);
}

TEST(waits_for_messages_are_broken)
{
	break_it(receive);
}

static RT_COND cond;
static RT_MUTEX mutex;

static void wait_for_condition(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_error(rt_cond_wait(&cond, &mutex, TM_INFINITE), EOWNERDEAD);
	expect_ok(rt_mutex_release(&mutex));
	mark("told");
}

static void end_as_owner(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_cond_signal(&cond));
}

TEST(who_was_signalled_is_told_that_the_owner_has_ended)
{
	RT_TASK waiter, owner;

	expect_ok(rt_cond_create(&cond, NULL));
	expect_ok(rt_mutex_create(&mutex, NULL));
	spawn_waiter(&waiter, 20, wait_for_condition, NULL);
	spawn(&owner, 30, end_as_owner, NULL);
	join(&owner);
	join(&waiter);
	expect_marks("told");
}
