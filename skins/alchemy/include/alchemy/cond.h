/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Condition: tasks wait until something that a mutex protects becomes true. Waiters are served by
 * priority.
 *
 * alchemy/sem.h describes descriptors, alchemy/timer.h timeouts.
 * Source: Xenomai 3 API manual, Alchemy, "Condition variable services".
 */
#ifndef ALCHEMY_COND_H
#define ALCHEMY_COND_H

#include <alchemy/mutex.h>
#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RT_COND {
	uintptr_t handle;
} RT_COND;

typedef struct RT_COND_INFO {
	char name[XNOBJECT_NAME_LEN];
} RT_COND_INFO;

/**
 * Create a condition.
 * Returns 0, -EINVAL (cond is NULL), -EEXIST, -ENOMEM, -EPERM as rt_sem_create().
 * Context: task, linux.
 */
int rt_cond_create(RT_COND *cond, const char *name);

/**
 * Delete a condition for which no task waits.
 * Returns 0, -EBUSY (a task waits), -EINVAL (not a condition), -EPERM (from an alarm handler).
 * Context: task, linux.
 */
int rt_cond_delete(RT_COND *cond);

/* Release the first waiter, if there is one. Returns 0, -EINVAL (not a condition). Context: any. */
int rt_cond_signal(RT_COND *cond);

/* Release all tasks that wait now. Returns 0, -EINVAL (not a condition). Context: any. */
int rt_cond_broadcast(RT_COND *cond);

/**
 * Release the mutex and wait, in one step. The mutex is acquired again before the call returns,
 * whatever it returns. The exceptions are -EINVAL, -EPERM and -EWOULDBLOCK, with which nothing has
 * happened.
 *
 * Returns 0 (signalled), or
 *   -EWOULDBLOCK  the timeout is TM_NONBLOCK: nothing has happened
 *   -ETIMEDOUT    no signal came in time
 *   -EOWNERDEAD   an owner of the mutex ended while it owned the mutex: see rt_mutex_acquire()
 *   -EIDRM        the condition was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a condition, not a mutex, other tasks wait with another mutex, or a bad
 *                 timespec
 *   -EPERM        the caller does not own the mutex, or cannot own one: see rt_mutex_acquire()
 * Context: task. May wait.
 */
int rt_cond_wait(RT_COND *cond, RT_MUTEX *mutex, RTIME timeout);
int rt_cond_wait_until(RT_COND *cond, RT_MUTEX *mutex, RTIME timeout);
int rt_cond_wait_timed(RT_COND *cond, RT_MUTEX *mutex, const struct timespec *abs_timeout);

/* Inquire, find by name, forget: as the services of alchemy/sem.h. */
int rt_cond_inquire(RT_COND *cond, RT_COND_INFO *info);
int rt_cond_bind(RT_COND *cond, const char *name, RTIME timeout);
int rt_cond_unbind(RT_COND *cond);

#ifdef __cplusplus
}
#endif

#endif
