/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting semaphore: P takes a unit, and waits for one if there is none; V gives a unit.
 *
 * A descriptor is filled in by rt_sem_create() or rt_sem_bind(), and may be copied. The descriptor
 * of a deleted semaphore gives -EINVAL with every service. Only tasks and main() may wait; other
 * threads may use the semaphore as long as they need not wait. alchemy/timer.h describes timeouts,
 * and what services on a semaphore of another program return.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Semaphore services".
 */
#ifndef ALCHEMY_SEM_H
#define ALCHEMY_SEM_H

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Modes of rt_sem_create() */
#define S_FIFO  0x0 /* waiters are served in order of arrival */
#define S_PRIO  0x1 /* waiters are served by priority, then in order of arrival */
#define S_PULSE 0x2 /* V has no effect if no caller waits: the count stays 0 */

typedef struct RT_SEM {
	uintptr_t handle;
} RT_SEM;

typedef struct RT_SEM_INFO {
	unsigned long count; /* units available */
	int nwaiters;        /* tasks that wait */
	char name[XNOBJECT_NAME_LEN];
} RT_SEM_INFO;

/**
 * Create a semaphore.
 * sem:    receives the descriptor.
 * name:   the name by which rt_sem_bind() finds it, unique among semaphores, copied; NULL or "": a
 *         name is generated.
 * icount: units available at first, at most 2^31 - 1.
 * mode:   S_FIFO or S_PRIO, S_PULSE.
 *
 * Returns 0, or
 *   -EINVAL  unknown mode, S_PULSE with icount above 0, icount too large, or sem is NULL
 *   -EEXIST  a semaphore of that name exists
 *   -ENOMEM  no memory for it
 *   -EPERM   from an alarm handler; or the nucleus could not be started in this program, and the
 *            standard error output says why
 * Context: task, linux. Cost: O(1) on average.
 */
int rt_sem_create(RT_SEM *sem, const char *name, unsigned long icount, int mode);

/**
 * Delete. Waiters get -EIDRM.
 * Returns 0, -EINVAL (not a semaphore), -EPERM (from an alarm handler).
 * Context: task, linux. Cost: O(waiters).
 */
int rt_sem_delete(RT_SEM *sem);

/**
 * P: take one unit; wait if there is none.
 *
 * Returns 0, or
 *   -EWOULDBLOCK  there is none and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    none came in time
 *   -EIDRM        the semaphore was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a semaphore, or a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread that
 *                 is neither a task nor main()
 * Context: task, linux. May wait. Cost: O(1), O(waiters) with S_PRIO.
 */
int rt_sem_p(RT_SEM *sem, RTIME timeout);
int rt_sem_p_until(RT_SEM *sem, RTIME timeout);
int rt_sem_p_timed(RT_SEM *sem, const struct timespec *abs_timeout);

/**
 * V: give one unit to the first waiter if there is one, otherwise to the count. With S_PULSE and
 * without a waiter the unit is lost.
 * Returns 0, -EINVAL (not a semaphore), -EOVERFLOW (the count is at 2^31 - 1).
 * Context: any. Cost: O(1).
 */
int rt_sem_v(RT_SEM *sem);

/**
 * Release every caller that waits. The count then stays 0; a count above 0 is not changed.
 * Returns 0, -EINVAL (not a semaphore). Context: any. Cost: O(waiters).
 */
int rt_sem_broadcast(RT_SEM *sem);

/**
 * Inquire. info: receives the state, or NULL to ask whether the descriptor is good.
 * Returns 0, -EINVAL (not a semaphore). Context: any. Cost: O(1).
 */
int rt_sem_inquire(RT_SEM *sem, RT_SEM_INFO *info);

/**
 * Find a semaphore by its name; wait for its creation if there is none. Binding a descriptor again
 * uses no further memory, neither if the descriptor is bound to this object already, nor if the
 * object of its name was created anew.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (sem or name is NULL), -EPERM (it would have to wait, and the
 * caller may not: see rt_sem_p()), -ENOMEM (no memory or descriptor for it, here or in the program
 * that has it). Context: task, linux. May wait.
 */
int rt_sem_bind(RT_SEM *sem, const char *name, RTIME timeout);

/* Forget the binding. The descriptor becomes invalid; the semaphore stays. Returns 0, -EINVAL (sem
 * is NULL). Context: any. */
int rt_sem_unbind(RT_SEM *sem);

#ifdef __cplusplus
}
#endif

#endif
