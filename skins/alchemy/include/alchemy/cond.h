/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Condition: wait under a mutex for something to become true. Waiters are served by priority.
 *
 * Descriptors and timeouts are as in alchemy/sem.h.
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
 * Delete a condition that nobody waits for.
 * Returns 0, -EBUSY (a task waits), -EINVAL (not a condition), -EPERM (from an alarm handler).
 * Context: task, linux.
 */
int rt_cond_delete(RT_COND *cond);

/* Release the first waiter, if there is one. Returns 0, -EINVAL (not a condition). Context: any. */
int rt_cond_signal(RT_COND *cond);

/* Release all that wait now. Returns 0, -EINVAL (not a condition). Context: any. */
int rt_cond_broadcast(RT_COND *cond);

/**
 * Release the mutex and wait, in one step; the mutex is acquired again before the return, whatever
 * is returned, but for -EINVAL and -EPERM, where nothing has happened.
 *
 * Returns 0 (signalled), or
 *   -EWOULDBLOCK  the timeout is TM_NONBLOCK: nothing has happened
 *   -ETIMEDOUT    no signal came in time
 *   -EOWNERDEAD   an owner of the mutex ended holding it: see rt_mutex_acquire()
 *   -EIDRM        the condition was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a condition, not a mutex, others wait with another mutex, or a bad timespec
 *   -EPERM        the caller does not own the mutex, or cannot: see rt_mutex_acquire()
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
