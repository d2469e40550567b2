/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutex. Owned by the task that locked it, until that task unlocks it: an unlock hands the mutex to
 * the first waiter directly. Plain Linux threads cannot own one; they adopt themselves first
 * (tact_task_adopt()).
 *
 * What owning does to the owner's priority, chosen at creation:
 *
 *   inheritance (default)  the owner is as urgent as its most urgent waiter, along chains of
 *                          locks and across real-time CPUs
 *   TACT_MUTEX_CEILING     the owner runs at the mutex's ceiling, so that who could preempt it
 *                          cannot want it
 *   TACT_MUTEX_PLAIN       nothing
 *
 * Where a chain leads over several CPUs, a change goes from each to the next as a message: the call
 * that caused it (a lock, a timeout, tact_task_set_priority()) may have returned before the last
 * owner has its new priority. On one CPU it is done when the call returns.
 *
 * Deadlocks: a wait that would close a circle is refused with -TACT_EDEADLK, whatever the circle's
 * length and the CPUs that it spans. A circle leads from a task to the lock that it waits for, and
 * from there to its owner. Followed are mutexes, reader-writer locks owned by a writer, and waits
 * on conditions, which are waits for the condition's mutex. Not followed are reader-writer locks
 * owned by readers, and whatever else a task may wait for. Every wait that closes a circle is
 * refused; when several do so at the same instant on different CPUs that may be more than one. A
 * wait that would end by a timeout is refused like any other; TACT_NOWAIT is no wait.
 *
 * Robust: when its owner ends, the next to lock it gets -TACT_EOWNERDEAD, and owns it. It repairs
 * what the mutex protects and says so by tact_mutex_consistent(); if it unlocks without that, the
 * mutex is lost: -TACT_ENOTRECOVERABLE for all, until it is deleted.
 */
#ifndef TACTUS_MUTEX_H
#define TACTUS_MUTEX_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef tact_handle_t tact_mutex_t;

/* Flags of tact_mutex_create() */
#define TACT_MUTEX_RECURSIVE 0x0100u /* the owner may lock it again */
#define TACT_MUTEX_PLAIN     0x0200u /* owning changes no priority */
#define TACT_MUTEX_CEILING   0x0400u /* the owner runs at the ceiling */

#define TACT_MUTEX_DEPTH_MAX 65535u

enum tact_mutex_state {
	TACT_MUTEX_CONSISTENT = 0,
	TACT_MUTEX_INCONSISTENT = 1, /* an owner ended, nobody has repaired it yet */
	TACT_MUTEX_LOST = 2,         /* and nobody will */
};

struct tact_mutex_info {
	char name[TACT_NAME_BYTES];
	tact_task_t owner; /* 0: free */
	uint32_t depth;    /* times the owner has locked it */
	uint32_t waiters;
	uint32_t ceiling; /* 0: not a ceiling mutex */
	uint32_t flags;   /* of its creation, without TACT_ON_CPU() */
	enum tact_mutex_state state;
};

/**
 * Create a mutex.
 * name:    entry in the registry, copied; NULL for none.
 * flags:   TACT_FIFO or TACT_PRIO, TACT_MUTEX_*, TACT_ON_CPU(n).
 * ceiling: with TACT_MUTEX_CEILING the highest base priority of those who will lock it, 1 …
 *          TACT_PRIO_MAX; otherwise 0.
 * mutex:   receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  unknown or contradictory flags, a ceiling out of range, a bad name
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_mutex_create(const char *name, uint32_t flags, uint32_t ceiling, tact_mutex_t *mutex);

/**
 * Delete. Waiters get -TACT_EIDRM. It may be owned, by the caller or by another task: the owner
 * loses it and what priority it had from it; its unlock then returns -TACT_EIDRM. Returns 0,
 * -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler). Context: task, linux. Cost: O(waiters).
 */
int tact_mutex_delete(tact_mutex_t mutex);

/**
 * Lock, waiting for it if need be; with TACT_NOWAIT, try.
 *
 * Returns 0, or
 *   -TACT_EOWNERDEAD      locked, but an owner ended holding it: see above
 *   -TACT_ENOTRECOVERABLE it is lost
 *   -TACT_EAGAIN          another task owns it and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT       it did not become free in time
 *   -TACT_EDEADLK         the caller owns it and it is not recursive (with TACT_NOWAIT too), or the
 *                         wait would close a circle: see above
 *   -TACT_EOVERFLOW       locked TACT_MUTEX_DEPTH_MAX times already
 *   -TACT_EINVAL          the caller's base priority is above the ceiling, or the timeout is of
 *                         unknown kind
 *   -TACT_EIDRM           deleted, before or meanwhile
 *   -TACT_EINTR           tact_task_unblock()
 *   -TACT_EBADF           not a mutex
 *   -TACT_ENOMEM          from another CPU, with a timeout: the home CPU has no timer left
 *   -TACT_EPERM           not a task
 *
 * Context: task. May wait. Cost: O(1) uncontended; else O(waiters) and O(length of the chain).
 * Source: POSIX.1-2017, pthread_mutex_lock().
 */
int tact_mutex_lock(tact_mutex_t mutex, tact_timeout_t timeout);

/**
 * Unlock: once for each lock. The owner's priority falls to what it still owns demands, in whatever
 * order mutexes are unlocked. Returns 0, -TACT_EPERM (not the owner), -TACT_EIDRM (deleted),
 * -TACT_EBADF. Context: task. Cost: O(1), O(waiters) with TACT_FIFO and inheritance.
 */
int tact_mutex_unlock(tact_mutex_t mutex);

/**
 * What the mutex protects has been repaired.
 * Returns 0, -TACT_EPERM (not the owner), -TACT_EINVAL (it is not inconsistent), -TACT_EIDRM,
 * -TACT_EBADF.
 * Context: task. Cost: O(1). Source: POSIX.1-2017, pthread_mutex_consistent().
 */
int tact_mutex_consistent(tact_mutex_t mutex);

/**
 * Change the ceiling; an owner follows at once. (POSIX's pthread_mutex_setprioceiling() locks the
 * mutex around this.) ceiling: 1 … TACT_PRIO_MAX. old: receives the old one, or NULL. Returns 0,
 * -TACT_EINVAL (out of range), -TACT_ENOTSUP (not a ceiling mutex), -TACT_EIDRM, -TACT_EBADF,
 * -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(1).
 */
int tact_mutex_set_ceiling(tact_mutex_t mutex, uint32_t ceiling, uint32_t *old);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_mutex_inquire(tact_mutex_t mutex, struct tact_mutex_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
