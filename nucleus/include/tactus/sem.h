/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting semaphore.
 */
#ifndef TACTUS_SEM_H
#define TACTUS_SEM_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_sem_t;

#define TACT_SEM_VALUE_MAX 0x7fffffffu

/* Flag of tact_sem_create(): a unit that is given while no caller waits is lost; the count stays
 * 0. */
#define TACT_SEM_PULSE 0x10u

struct tact_sem_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t value;   /* units available */
	uint32_t maximum; /* units that it can hold; 0: TACT_SEM_PULSE */
	uint32_t waiters;
};

/**
 * Create a semaphore.
 * name:    entry in the registry, copied; NULL for none.
 * initial: units available at first, 0 … maximum; 0 with TACT_SEM_PULSE.
 * maximum: units that it can hold, 1 … TACT_SEM_VALUE_MAX; 1 makes it binary.
 * flags:   TACT_FIFO or TACT_PRIO, TACT_SEM_PULSE, TACT_ON_CPU(n).
 * sem:     receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  initial or maximum out of range, unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_sem_create(const char *name, uint32_t initial, uint32_t maximum, uint32_t flags,
		    tact_sem_t *sem);

/**
 * Delete; every waiter gets -TACT_EIDRM.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_sem_delete(tact_sem_t sem);

/**
 * Take one unit; wait if there is none.
 *
 * Returns 0, or
 *   -TACT_EAGAIN    there is none and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EIDRM     the semaphore was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_sem_flush(), or tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a semaphore
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's
 *                   semaphore
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO.
 */
int tact_sem_wait(tact_sem_t sem, tact_timeout_t timeout);

/**
 * Give one unit: to the first waiter if there is one, otherwise to the count. With TACT_SEM_PULSE
 * and without a waiter the unit is lost.
 *
 * Returns 0, or
 *   -TACT_EOVERFLOW the count is at its maximum; nothing changed
 *   -TACT_EBADF     not a semaphore
 *   -TACT_EIDRM     deleted
 *   -TACT_ENOMEM    from a handler to another CPU's semaphore: no message record is free
 * Context: task, handler, linux. From a handler to another CPU's semaphore it returns 0
 * once the unit is sent.
 * Cost: O(1).
 */
int tact_sem_post(tact_sem_t sem);

/**
 * Give one unit to every caller that waits now; the count stays.
 * Returns the number of callers released, or -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (as
 * tact_sem_post()).
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_sem_broadcast(tact_sem_t sem);

/**
 * Break every wait: the waiters get -TACT_ECANCELED, the count stays.
 * Returns the number of waits broken, or as tact_sem_broadcast().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_sem_flush(tact_sem_t sem);

/**
 * Set the count to a new value (the resets of VxWorks and uITRON). If callers wait, or with
 * TACT_SEM_PULSE, only 0 is accepted.
 * Returns 0, -TACT_EINVAL (above the maximum), -TACT_EBUSY (there are waiters, and the value is
 * above 0), -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (as tact_sem_post()).
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_sem_reset(tact_sem_t sem, uint32_t value);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_sem_inquire(tact_sem_t sem, struct tact_sem_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
