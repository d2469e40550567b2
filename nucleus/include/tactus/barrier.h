/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Barrier: a fixed number of callers wait for each other, again and again.
 */
#ifndef TACTUS_BARRIER_H
#define TACTUS_BARRIER_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_barrier_t;

struct tact_barrier_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t count;   /* callers that open it */
	uint32_t waiters; /* callers that have arrived */
	uint32_t reserved;
	uint64_t rounds; /* how often it has opened */
};

/**
 * Create a barrier.
 * name:    entry in the registry, copied; NULL for none.
 * count:   callers that open it, at least 1.
 * flags:   TACT_FIFO or TACT_PRIO (order of release), TACT_ON_CPU(n).
 * barrier: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  count is 0, unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_barrier_create(const char *name, uint32_t count, uint32_t flags, tact_barrier_t *barrier);

/**
 * Delete; every waiter gets -TACT_EIDRM.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_barrier_delete(tact_barrier_t barrier);

/**
 * Arrive, and wait for the others. A caller whose wait ends early (timeout, broken wait) does not
 * count any more.
 *
 * Returns 1 to the caller that opened the barrier, 0 to the others, or
 *   -TACT_EAGAIN    other callers are missing and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT they did not come in time
 *   -TACT_EIDRM     the barrier was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_barrier_flush(), or tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a barrier
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's
 *                   barrier
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO and for the last caller to arrive.
 */
int tact_barrier_wait(tact_barrier_t barrier, tact_timeout_t timeout);

/**
 * Break every wait: the waiters get -TACT_ECANCELED, and the count begins anew.
 * Returns the number of waits broken, or
 *   -TACT_EBADF   not a barrier
 *   -TACT_EIDRM   deleted
 *   -TACT_ENOMEM  from a handler to another CPU's barrier: no message record is free
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_barrier_flush(tact_barrier_t barrier);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_barrier_inquire(tact_barrier_t barrier, struct tact_barrier_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
