/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader-writer lock: owned by one writer or by several readers.
 *
 * If readers and writers wait, the order is chosen at creation:
 *   writers (default)    a reader waits as long as a writer waits
 *   TACT_RWLOCK_READERS  a reader waits only for the writer that owns the lock
 *   TACT_RWLOCK_FAIR     order of arrival (TACT_FIFO), or of priority (TACT_PRIO)
 *
 * The writer that owns the lock inherits the urgency of its most urgent waiter; readers inherit
 * nothing. If a reader ends, it releases the lock. If a writer ends while it owns the lock, every
 * later lock returns -TACT_EOWNERDEAD (and the caller owns the lock), until a writer has repaired
 * what the lock protects and has called tact_rwlock_consistent().
 */
#ifndef TACTUS_RWLOCK_H
#define TACTUS_RWLOCK_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_rwlock_t;

/* Flags of tact_rwlock_create() */
#define TACT_RWLOCK_READERS 0x0100u
#define TACT_RWLOCK_FAIR    0x0200u

#define TACT_RWLOCK_READERS_MAX 4096u

struct tact_rwlock_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	tact_task_t writer; /* the writer that owns it; {0}: none */
	uint32_t readers;   /* number of readers that own it */
	uint32_t readers_max;
	uint32_t waiting_readers;
	uint32_t waiting_writers;
	uint32_t flags;        /* of its creation, without TACT_ON_CPU() */
	uint32_t inconsistent; /* 1: a writer ended while it owned it; not repaired yet */
};

/**
 * Create a reader-writer lock.
 * name:    entry in the registry, copied; NULL for none.
 * readers: number of readers that may own it at a time, 1 … TACT_RWLOCK_READERS_MAX; further
 *          readers wait. Each takes about 200 bytes of the home CPU's pool.
 * flags:   TACT_FIFO or TACT_PRIO, TACT_RWLOCK_*, TACT_ON_CPU(n).
 * rwlock:  receives the handle, or NULL.
 *
 * Returns 0, -TACT_EINVAL (readers out of range, unknown or contradictory flags, a bad name),
 * -TACT_ENXIO, -TACT_EEXIST, -TACT_ENOMEM, -TACT_EPERM (from a handler, or not started).
 * Context: task, linux. Cost: O(readers) and the registry.
 */
int tact_rwlock_create(const char *name, uint32_t readers, uint32_t flags, tact_rwlock_t *rwlock);

/**
 * Delete. Waiters get -TACT_EIDRM. The lock may be owned: the owners lose it, and their unlock
 * returns -TACT_EIDRM.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(readers + waiters).
 */
int tact_rwlock_delete(tact_rwlock_t rwlock);

/**
 * Lock for reading or for writing; wait if the lock is not free. With TACT_NOWAIT: try to lock.
 *
 * Return 0, or
 *   -TACT_EOWNERDEAD  locked, but a writer ended while it owned the lock: see above
 *   -TACT_EAGAIN      it is not free and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT   it did not become free in time
 *   -TACT_EDEADLK     the caller owns it already, as a reader or as the writer (also with
 *                     TACT_NOWAIT); or a writer owns it and the wait would close a circle: see
 *                     mutex.h
 *   -TACT_EINVAL      a timeout of unknown kind
 *   -TACT_EIDRM       deleted, before or meanwhile
 *   -TACT_ECANCELED   tact_task_unblock() without another code
 *   -TACT_EINTR       a signal
 *   -TACT_EBADF       not a reader-writer lock
 *   -TACT_ENOMEM      from another CPU, with a timeout: the home CPU has no timer left
 *   -TACT_EPERM       not a task
 * Context: task. May wait. Cost: O(locks that the caller owns); O(waiters) and O(length of the
 * chain) if it waits.
 * Source: POSIX.1-2017, pthread_rwlock_rdlock(), pthread_rwlock_wrlock(). In POSIX a reader may
 * lock again for reading.
 */
int tact_rwlock_read(tact_rwlock_t rwlock, tact_timeout_t timeout);
int tact_rwlock_write(tact_rwlock_t rwlock, tact_timeout_t timeout);

/**
 * Unlock, as a reader or as the writer.
 * Returns 0, -TACT_EPERM (the caller does not own it), -TACT_EIDRM (deleted), -TACT_EBADF.
 * Context: task. Cost: O(locks that the caller owns + waiters released).
 */
int tact_rwlock_unlock(tact_rwlock_t rwlock);

/**
 * Report that what the lock protects has been repaired.
 * Returns 0, -TACT_EPERM (not the writer that owns it), -TACT_ESRCH (it is not inconsistent),
 * -TACT_EIDRM, -TACT_EBADF.
 * Context: task. Cost: O(1).
 */
int tact_rwlock_consistent(tact_rwlock_t rwlock);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_rwlock_inquire(tact_rwlock_t rwlock, struct tact_rwlock_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
