/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletion safety: a task protects itself, for some time, from callers that would delete it. The
 * protection is counted. It holds against tact_task_delete_unsafe() and tact_task_restart() only.
 * tact_task_delete(), tact_delete(), tact_stop(), a fault, and the task's own end take effect at
 * once, as for any task.
 *
 * A mutex that was created with TACT_MUTEX_SAFE protects its owner as long as it is owned. A task
 * that waits for such a mutex is not protected by it.
 *
 * A safe task does not inherit the priority of callers that wait to delete it.
 */
#ifndef TACTUS_SAFE_H
#define TACTUS_SAFE_H

#include <tactus/mutex.h>
#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define TACT_SAFE_MAX 65535u

/* Flag of tact_mutex_create(): the owner is safe until it does not own the mutex any more, for
 * whatever reason. Source: VxWorks Reference Manual 5.5, semMCreate() (SEM_DELETE_SAFE). */
#define TACT_MUTEX_SAFE 0x0800u

/**
 * Make the calling task safe once more.
 *
 * Returns 0, or
 *   -TACT_EOVERFLOW  safe TACT_SAFE_MAX times already
 *   -TACT_EPERM      not a task
 * Context: task. Cost: O(1), on the caller's CPU.
 * Source: VxWorks Reference Manual 5.5, taskSafe().
 */
int tact_task_safe(void);

/**
 * Undo one tact_task_safe(). If nothing else protects the task, and another caller has ordered its
 * deletion or its restart meanwhile, the task ends or restarts here, and the call does not return.
 *
 * Returns 0, or
 *   -TACT_EINVAL  no tact_task_safe() is left to undo
 *   -TACT_EPERM   not a task
 * Context: task. Cost: O(1), on the caller's CPU; if the task ends, as tact_task_exit().
 * Source: VxWorks Reference Manual 5.5, taskUnsafe().
 */
int tact_task_unsafe(void);

/**
 * As tact_task_delete(), but a safe task ends only when it is not safe any more, and the call waits
 * for that. The order to delete the task stays, also if the wait of the caller ends early. A call
 * for the calling task does not return, whether the task is safe or not.
 * timeout: how long to wait. With TACT_NOWAIT a safe task gets no order, and nothing changes.
 *
 * Returns 0 once the task has ended; also 0 if it is in secondary mode, not safe, and ends when it
 * next enters Tactus; or
 *   -TACT_EAGAIN    the task is safe and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT the task has not ended in time
 *   -TACT_ECANCELED tact_task_unblock() without another code broke the wait; the order stays
 *   -TACT_EINTR     a signal broke the wait; the order stays
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left; the order stays
 *   -TACT_EBADF     not a task
 *   -TACT_EIDRM     deleted before the call
 *   -TACT_EPERM     from a handler
 * Context: task, linux. May wait. Cost: as tact_task_delete(); its end costs O(callers that wait to
 * delete tasks of its home CPU).
 * Source: VxWorks Reference Manual 5.5, taskDelete(). taskDeleteForce() is tact_task_delete().
 */
int tact_task_delete_unsafe(tact_task_t task, tact_timeout_t timeout);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
