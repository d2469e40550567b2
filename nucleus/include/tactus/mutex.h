/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutex. The task that locked it owns it until the task unlocks it. An unlock hands the mutex
 * directly to the first waiter. A plain Linux thread cannot own a mutex; it attaches itself first
 * (tact_task_attach()).
 *
 * What the mutex does to the priority of its owner is chosen at creation:
 *
 *   inheritance (default)  the owner is as urgent as its most urgent waiter, along chains of locks
 *                          and across real-time CPUs
 *   TACT_MUTEX_CEILING     the owner runs at the ceiling of the mutex, so that no task that could
 *                          preempt it can want the mutex
 *   TACT_MUTEX_PLAIN       nothing
 *
 * If a chain leads over several CPUs, a change of priority travels from each CPU to the next as a
 * message. The call that caused the change (a lock, a timeout, tact_task_set_priority()) may then
 * return before the last owner has its new priority. On one CPU the change is complete when the
 * call returns.
 *
 * Deadlocks: a wait that would close a circle is refused with -TACT_EDEADLK, whatever the length of
 * the circle and the CPUs that it spans. A circle leads from a task to the lock that the task waits
 * for, and from this lock to its owner. It is found if it consists of mutexes, of reader-writer
 * locks that a writer owns, and of waits on conditions, which count as waits for the mutex of the
 * condition. It is not found if it leads through a reader-writer lock that readers own, or through
 * anything else that a task can wait for. If several waits close a circle at the same instant on
 * different CPUs, more than one of them may be refused. A wait with a timeout is refused like any
 * other. A call with TACT_NOWAIT does not wait.
 *
 * Robustness: if the owner ends, the next task that locks the mutex gets -TACT_EOWNERDEAD, and owns
 * it. This task repairs what the mutex protects, and reports that by tact_mutex_consistent(). If it
 * unlocks the mutex without that, the mutex is lost: every task gets -TACT_ENOTRECOVERABLE until
 * the mutex is deleted.
 */
#ifndef TACTUS_MUTEX_H
#define TACTUS_MUTEX_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_mutex_t;

/* Flags of tact_mutex_create() */
#define TACT_MUTEX_RECURSIVE 0x0100u /* the owner may lock it again */
#define TACT_MUTEX_PLAIN     0x0200u /* owning changes no priority */
#define TACT_MUTEX_CEILING   0x0400u /* the owner runs at the ceiling */

#define TACT_MUTEX_DEPTH_MAX 65535u

enum tact_mutex_state {
	TACT_MUTEX_CONSISTENT = 0,
	TACT_MUTEX_INCONSISTENT = 1, /* an owner ended, and the repair is still to come */
	TACT_MUTEX_LOST = 2,         /* it was unlocked without the repair */
};

struct tact_mutex_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	tact_task_t owner; /* {0}: free */
	uint32_t depth;    /* how often the owner has locked it */
	uint32_t waiters;
	uint32_t ceiling; /* 0: not a ceiling mutex */
	uint32_t flags;   /* of its creation, without TACT_ON_CPU() */
	uint32_t state;   /* enum tact_mutex_state */
};

/**
 * Create a mutex.
 * name:    entry in the registry, copied; NULL for none.
 * flags:   TACT_FIFO or TACT_PRIO, TACT_MUTEX_*, TACT_ON_CPU(n).
 * ceiling: with TACT_MUTEX_CEILING the highest base priority of the tasks that will lock it, 1 …
 *          TACT_PRIORITY_MAX; otherwise 0.
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
 * Delete. Waiters get -TACT_EIDRM. The mutex may be owned, by the caller or by another task: the
 * owner loses it, together with the priority that the mutex gave the owner. The unlock of the owner
 * then returns -TACT_EIDRM.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_mutex_delete(tact_mutex_t mutex);

/**
 * Lock; wait if another task owns it. With TACT_NOWAIT: try to lock.
 *
 * Returns 0, or
 *   -TACT_EOWNERDEAD      locked, but an owner ended while it owned the mutex: see above
 *   -TACT_ENOTRECOVERABLE it is lost: see above
 *   -TACT_EAGAIN          another task owns it and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT       it did not become free in time
 *   -TACT_EDEADLK         the caller owns it and it is not recursive (also with TACT_NOWAIT), or
 *                         the wait would close a circle: see above
 *   -TACT_EOVERFLOW       locked TACT_MUTEX_DEPTH_MAX times already
 *   -TACT_EINVAL          the caller's base priority is above the ceiling, or the timeout is of
 *                         unknown kind
 *   -TACT_EIDRM           deleted, before or meanwhile
 *   -TACT_ECANCELED       tact_task_unblock() without another code
 *   -TACT_EINTR           a signal
 *   -TACT_EBADF           not a mutex
 *   -TACT_ENOMEM          from another CPU, with a timeout: the home CPU has no timer left
 *   -TACT_EPERM           not a task
 *
 * Context: task. May wait. Cost: O(1) uncontended; else O(waiters) and O(length of the chain).
 * Source: POSIX.1-2017, pthread_mutex_lock().
 */
int tact_mutex_lock(tact_mutex_t mutex, tact_timeout_t timeout);

/**
 * Unlock, once for each lock. Mutexes may be unlocked in any order. The priority of the owner falls
 * to what the locks that it still owns demand.
 * Returns 0, -TACT_EPERM (not the owner), -TACT_EIDRM (deleted), -TACT_EBADF.
 * Context: task. Cost: O(1), O(waiters) with TACT_FIFO and inheritance.
 */
int tact_mutex_unlock(tact_mutex_t mutex);

/**
 * Report that what the mutex protects has been repaired.
 * Returns 0, -TACT_EPERM (not the owner), -TACT_ESRCH (it is not inconsistent), -TACT_EIDRM,
 * -TACT_EBADF.
 * Context: task. Cost: O(1). Source: POSIX.1-2017, pthread_mutex_consistent().
 */
int tact_mutex_consistent(tact_mutex_t mutex);

/**
 * Change the ceiling. The priority of an owner follows at once. (POSIX's
 * pthread_mutex_setprioceiling() locks the mutex around the change; this call does not.)
 * ceiling: 1 … TACT_PRIORITY_MAX.
 * old: receives the old ceiling, or NULL.
 * Returns 0, -TACT_EINVAL (out of range), -TACT_ENOTSUP (not a ceiling mutex), -TACT_EIDRM,
 * -TACT_EBADF, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(1).
 */
int tact_mutex_set_ceiling(tact_mutex_t mutex, uint32_t ceiling, uint32_t *old);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_mutex_inquire(tact_mutex_t mutex, struct tact_mutex_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
