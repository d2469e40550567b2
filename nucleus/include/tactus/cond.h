/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Condition: tasks wait until something that a mutex protects becomes true.
 */
#ifndef TACTUS_COND_H
#define TACTUS_COND_H

#include <tactus/mutex.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_cond_t;

struct tact_cond_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t waiters;
	tact_mutex_t mutex; /* of the waiters; {0}: there are none */
};

/**
 * Create a condition. Its home must be that of the mutexes with which it will be used.
 * name:  entry in the registry, copied; NULL for none.
 * flags: TACT_FIFO or TACT_PRIO (order in which signals release), TACT_ON_CPU(n).
 * cond:  receives the handle, or NULL.
 *
 * Returns 0, -TACT_EINVAL (flags, name), -TACT_ENXIO, -TACT_EEXIST, -TACT_ENOMEM, -TACT_EPERM (from
 * a handler, or not started).
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_cond_create(const char *name, uint32_t flags, tact_cond_t *cond);

/**
 * Delete. Every waiter locks its mutex and gets -TACT_EIDRM.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_cond_delete(tact_cond_t cond);

/**
 * Unlock the mutex and wait, in one step; lock the mutex again before the call returns. A recursive
 * mutex is unlocked whatever its depth, and then locked again to the same depth.
 *
 * Who owns the mutex after the call depends on the result alone. After -TACT_ENOTRECOVERABLE and
 * after -TACT_EDEADLK the caller does not own it, and must not unlock it. After -TACT_EPERM the
 * caller did not own it before. After every other result the caller owns it, as deep as before, and
 * has to unlock it; this includes -TACT_EIDRM. If the mutex itself was deleted, this unlock does
 * nothing and returns -TACT_EIDRM, too.
 *
 * Returns, after a wait and with the mutex locked, 0 (signalled), or
 *   -TACT_ETIMEDOUT  it was not signalled in time
 *   -TACT_ECANCELED  tact_task_unblock() without another code, before the condition was signalled
 *   -TACT_EINTR      a signal to the task, before the condition was signalled
 *   -TACT_EIDRM      the condition was deleted
 *   -TACT_EOWNERDEAD the last owner of the mutex ended while it owned the mutex; this code replaces
 *                    the ones above
 * Returns, without a wait and with the mutex as it was,
 *   -TACT_EPERM      the caller does not own the mutex, or is not a task
 *   -TACT_EINVAL     other callers wait with another mutex; the home of the mutex is another CPU;
 *                    or a timeout of unknown kind
 *   -TACT_EAGAIN     the timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT  an absolute timeout that has passed
 *   -TACT_EBADF      not a condition, or not a mutex
 *   -TACT_EIDRM      the condition was deleted before
 *   -TACT_ENOMEM     from another CPU, with a timeout: the home CPU has no timer left
 * Returns, after a wait and without the mutex,
 *   -TACT_ENOTRECOVERABLE the mutex was lost meanwhile
 *   -TACT_EIDRM      the mutex was deleted
 *   -TACT_EDEADLK    the wait for the condition had ended by itself, and the owner of the mutex had
 *                    come to wait for the caller meanwhile: see mutex.h. Usually this owner gets
 *                    the error, because a task that waits for the condition counts as waiting for
 *                    the mutex.
 * The caller's base priority is compared with a ceiling when the mutex is first locked, not when it
 * is locked again. tact_task_unblock() does not break the wait for the mutex, and the caller keeps
 * its place in the queue of the mutex. A signal does break it: the handler of the signal runs, and
 * then the wait begins anew, with a new place in the queue.
 * Context: task. May wait, also after the timeout, until the mutex is free.
 * Cost: O(1) and that of locking, O(waiters) with TACT_PRIO.
 * Source: POSIX.1-2017, pthread_cond_timedwait().
 */
int tact_cond_wait(tact_cond_t cond, tact_mutex_t mutex, tact_timeout_t timeout);

/**
 * Release the first waiter, if there is one: it gets the mutex, or waits for the mutex. If its task
 * is ended before it continues, the next waiter gets the signal.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (from a handler to another CPU's condition: no
 * message record is free).
 * Context: task, handler, linux. Cost: O(1), O(waiters of the mutex) when it is owned.
 */
int tact_cond_signal(tact_cond_t cond);

/**
 * Release all callers that wait now. Returns their number, or as tact_cond_signal().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_cond_broadcast(tact_cond_t cond);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_cond_inquire(tact_cond_t cond, struct tact_cond_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
