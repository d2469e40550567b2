/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What binding refuses is the same for objects of each type; and a task's name is one task's. */
#include "alchemy_test.h"

#include <alchemy/cond.h>
#include <alchemy/event.h>
#include <alchemy/mutex.h>
#include <alchemy/sem.h>

typedef int bind_fn(bool somewhere, const char *name, RTIME timeout);

#define BINDER(type, call)                                                      \
	static int bind_##type(bool somewhere, const char *name, RTIME timeout) \
	{                                                                       \
		type object;                                                    \
                                                                                \
		return call(somewhere ? &object : NULL, name, timeout);         \
	}
BINDER(RT_COND, rt_cond_bind)
BINDER(RT_EVENT, rt_event_bind)
BINDER(RT_MUTEX, rt_mutex_bind)
BINDER(RT_SEM, rt_sem_bind)
BINDER(RT_TASK, rt_task_bind)

static bind_fn *const binders[] = {
	bind_RT_COND, bind_RT_EVENT, bind_RT_MUTEX, bind_RT_SEM, bind_RT_TASK,
};
#define BINDERS (sizeof(binders) / sizeof(binders[0]))

TEST(arguments_and_names_are_looked_at)
{
	for (size_t i = 0; i < BINDERS; i++) {
		expect_error(binders[i](false, "name", TM_NONBLOCK), EINVAL);
		expect_error(binders[i](true, NULL, TM_NONBLOCK), EINVAL);
		expect_error(binders[i](true, "", TM_INFINITE), EINVAL);
		expect_error(binders[i](true, "nobody", TM_NONBLOCK), EWOULDBLOCK);
		expect_error(binders[i](true, "nobody", TEST_MS), ETIMEDOUT);
	}
}

static void wait_in_each(void *unused)
{
	(void)unused;
	for (size_t i = 0; i < BINDERS; i++)
		expect_error(binders[i](true, "never", TM_INFINITE), EINTR);
}

TEST(waits_are_broken)
{
	RT_TASK task;

	spawn(&task, 20, wait_in_each, NULL);
	for (size_t i = 0; i < BINDERS; i++) {
		until_status(&task, XNPEND);
		expect_ok(rt_task_unblock(&task));
	}
	join(&task);
}

static void bind_in_handler(void *unused)
{
	(void)unused;
	for (size_t i = 0; i < BINDERS; i++)
		expect_error(binders[i](true, "name", TM_NONBLOCK), EPERM);
}

TEST(handlers_bind_nothing)
{
	RT_SEM sem;

	expect_ok(rt_sem_create(&sem, "name", 0, S_PRIO));
	test_in_handler(bind_in_handler, NULL);
}

static void run(void *unused)
{
	(void)unused;
}

TEST(name_of_a_task_is_one_tasks)
{
	RT_TASK first, other;

	expect_ok(rt_task_create(&first, "one", 0, 10, 0));
	expect_error(rt_task_spawn(&other, "one", 0, 10, 0, run, NULL), EEXIST);
	expect_ok(rt_task_delete(&first));
}
