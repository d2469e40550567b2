/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutex: the task that acquired it owns it until the task has released it as often. The owner
 * inherits the priority of its waiters, along chains. Waiters are served by priority.
 *
 * alchemy/sem.h describes descriptors, alchemy/timer.h timeouts.
 * Source: Xenomai 3 API manual, Alchemy, "Mutex services".
 */
#ifndef ALCHEMY_MUTEX_H
#define ALCHEMY_MUTEX_H

#include <alchemy/task.h>
#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RT_MUTEX {
	uintptr_t handle;
} RT_MUTEX;

typedef struct RT_MUTEX_INFO {
	RT_TASK owner; /* NO_ALCHEMY_TASK: the mutex is free, or main() owns it */
	char name[XNOBJECT_NAME_LEN];
} RT_MUTEX_INFO;

/**
 * Create a mutex, which is free.
 * Returns 0, -EINVAL (mutex is NULL), -EEXIST, -ENOMEM, -EPERM as rt_sem_create().
 * Context: task, linux.
 */
int rt_mutex_create(RT_MUTEX *mutex, const char *name);

/**
 * Delete a mutex that is free.
 * Returns 0, -EBUSY (a task owns it), -EINVAL (not a mutex), -EPERM (from an alarm handler).
 * Context: task, linux.
 */
int rt_mutex_delete(RT_MUTEX *mutex);

/**
 * Acquire; wait if another task owns the mutex. The owner may acquire it again.
 *
 * Returns 0, or
 *   -EWOULDBLOCK  another task owns it and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    it did not become free in time
 *   -EOWNERDEAD   acquired, but its last owner ended while it owned the mutex: what the mutex
 *                 protects may need repair
 *   -EDEADLK      the wait would close a circle of owners
 *   -EIDRM        deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a mutex, or a bad timespec
 *   -EPERM        the caller cannot own a mutex: an alarm handler, or a thread that is not a task
 * Context: task. May wait.
 * Cost: O(1) uncontended, otherwise O(waiters) and O(length of the chain).
 */
int rt_mutex_acquire(RT_MUTEX *mutex, RTIME timeout);
int rt_mutex_acquire_until(RT_MUTEX *mutex, RTIME timeout);
int rt_mutex_acquire_timed(RT_MUTEX *mutex, const struct timespec *abs_timeout);

/**
 * Release, once for each acquisition.
 * Returns 0, -EINVAL (not a mutex), -EIDRM (it was deleted meanwhile), -EPERM (the caller does not
 * own it).
 * Context: task. Cost: O(1).
 */
int rt_mutex_release(RT_MUTEX *mutex);

/* Inquire. info: receives the state, or NULL. Returns 0, -EINVAL (not a mutex), -EPERM (from an
 * alarm handler). Context: task, linux. */
int rt_mutex_inquire(RT_MUTEX *mutex, RT_MUTEX_INFO *info);

/* Find by name, forget: as the services of alchemy/sem.h. */
int rt_mutex_bind(RT_MUTEX *mutex, const char *name, RTIME timeout);
int rt_mutex_unbind(RT_MUTEX *mutex);

#ifdef __cplusplus
}
#endif

#endif
