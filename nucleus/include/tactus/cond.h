/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Condition: wait for something to become true under a mutex.
 */
#ifndef TACTUS_COND_H
#define TACTUS_COND_H

#include <tactus/mutex.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef tact_handle_t tact_cond_t;

struct tact_cond_info {
	char name[TACT_NAME_BYTES];
	uint32_t waiters;
	tact_mutex_t mutex; /* of the waiters; 0: nobody waits */
};

/**
 * Create a condition. Its home must be that of the mutexes it will be used with.
 * flags: TACT_FIFO or TACT_PRIO (order in which signals release), TACT_ON_CPU(n).
 * Returns 0, -TACT_EINVAL (flags, name), -TACT_ENXIO, -TACT_EEXIST, -TACT_ENOMEM, -TACT_EPERM (from
 * a handler, or not started). Context: task, linux. Cost: O(1) and the registry.
 */
int tact_cond_create(const char *name, uint32_t flags, tact_cond_t *cond);

/**
 * Delete; every waiter returns -TACT_EIDRM, with its mutex locked.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_cond_delete(tact_cond_t cond);

/**
 * Unlock the mutex and wait, in one step; lock the mutex again before returning. A recursive mutex
 * is unlocked however deep it was locked, and comes back as deep.
 *
 * Returns, with the mutex locked, 0 (signalled), or
 *   -TACT_ETIMEDOUT  no signal came in time
 *   -TACT_EINTR      tact_task_unblock(), before it was signalled
 *   -TACT_EIDRM      the condition was deleted
 *   -TACT_EOWNERDEAD the mutex's last owner ended holding it (this goes before the codes above)
 * Returns, with the mutex as it was, nothing having happened,
 *   -TACT_EPERM      the caller does not own the mutex, or is not a task
 *   -TACT_EINVAL     others wait with another mutex; the mutex's home is another CPU; a timeout of
 *                    unknown kind
 *   -TACT_EAGAIN     the timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT  an absolute timeout that has passed
 *   -TACT_EBADF      not a condition, not a mutex
 *   -TACT_EIDRM      the condition was deleted before
 *   -TACT_ENOMEM     from another CPU, with a timeout: the home CPU has no timer left
 * Returns, without the mutex,
 *   -TACT_ENOTRECOVERABLE the mutex was lost meanwhile
 *   -TACT_EIDRM      the mutex was deleted (its unlock says the same)
 *   -TACT_EDEADLK    the wait had ended by itself, and meanwhile the mutex's owner has come to wait
 *                    for the caller: see tactus/mutex.h. Usually it is that owner who is told, as
 *                    whoever waits here counts as waiting for the mutex.
 * A ceiling is looked at when the mutex is first locked, not when it is locked again.
 * tact_task_unblock() does not break the wait for the mutex, whose place in its queue is kept; a
 * signal's handler runs in between, and the wait begins anew behind it.
 * Context: task. May wait, after the timeout too, until the mutex is free. Cost: O(1) and that of
 * locking, O(waiters) with TACT_PRIO.
 * Source: POSIX.1-2017, pthread_cond_timedwait().
 */
int tact_cond_wait(tact_cond_t cond, tact_mutex_t mutex, tact_timeout_t timeout);

/**
 * Release the first waiter, if there is one: it gets the mutex, or waits for it. If its task is
 * ended before it goes on, the signal is the next waiter's.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EAGAIN (from a handler to another CPU's object: no
 * message record is free). Context: task, handler, linux. Cost: O(1), O(waiters of the mutex) when
 * it is owned.
 */
int tact_cond_signal(tact_cond_t cond);

/**
 * Release all that wait now. Returns their number, or as tact_cond_signal().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_cond_broadcast(tact_cond_t cond);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_cond_inquire(tact_cond_t cond, struct tact_cond_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
