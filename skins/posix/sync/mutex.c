/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes. Without contention the C library serves them. A task waits in primary mode, at the
 * mutex's address, only for another task, because every unlock by a task is seen here and wakes a
 * waiter. A Linux thread may unlock inside the C library (in the wait for a condition), which is
 * not seen here. For a Linux thread, for a thread of another program, and if the owner is unknown,
 * the task waits in Linux. A task that was woken and does not get the mutex wakes the next one, of
 * which no other thread may know. Source: POSIX.1-2017, pthread_mutex_lock(),
 * pthread_mutex_timedlock().
 */
#define _GNU_SOURCE
#include "posix/sync/mutex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "posix/libc/clock.h"
#include "posix/libc/layout.h"
#include "posix/libc/real.h"
#include "posix/park/waiter.h"
#include "posix/park/wait.h"
#include "posix/state/record.h"

#define LOOK_NS      20000000u /* until a waiter for a robust mutex looks again */
#define LOCKS_A_TURN 64u

int posix_mutex_lock_in_linux(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	if (!deadline->until)
		return posix_real.pthread_mutex_lock(mutex);
	return posix_real.pthread_mutex_clocklock(mutex, deadline->clock, deadline->until);
}

/*
 * If a robust mutex without inheritance is not recoverable, the C library's trylock leaves it
 * locked by the caller, and the next thread would wait for it for ever. So it is unlocked here.
 */
static __attribute__((noinline)) int leave_not_recoverable(pthread_mutex_t *mutex)
{
	_Atomic uint32_t *word = (_Atomic uint32_t *)&mutex->__data.__lock;

	if ((atomic_load(word) & FUTEX_TID_MASK) == (uint32_t)posix_me.tid &&
	    atomic_exchange(word, 0) & FUTEX_WAITERS)
		(void)posix_real.syscall(SYS_futex, word, FUTEX_WAKE, 1);
	return ENOTRECOVERABLE;
}

static int try_lock(pthread_mutex_t *mutex)
{
	const int result = posix_real.pthread_mutex_trylock(mutex);

	return result == ENOTRECOVERABLE ? leave_not_recoverable(mutex) : result;
}

/* Do not wait after all. If the caller was woken meanwhile, it wakes the next one. */
static void stop_waiting(const pthread_mutex_t *mutex)
{
	if (posix_wait_leave())
		(void)posix_wait_wake(mutex, 1);
}

static bool owner_is_task(const pthread_mutex_t *mutex)
{
	return posix_tid_is_task(posix_mutex_owner(mutex));
}

/*
 * Sleep until woken. A wait for a robust mutex ends from time to time for a look, because the
 * kernel marks the mutex when its owner ends, and wakes no task.
 */
static int sleep_for(const pthread_mutex_t *mutex, tact_timeout_t timeout, unsigned how)
{
	tact_timeout_t look;
	int result;

	if (!(posix_mutex_kind(mutex) & POSIX_MUTEX_ROBUST))
		return posix_wait_sleep(timeout, how, NULL);
	look = tact_at(tact_time_add(tact_now(), LOOK_NS));
	if (timeout.kind != TACT_TIMEOUT_FOREVER && timeout.ns <= look.ns)
		return posix_wait_sleep(timeout, how, NULL);
	result = posix_wait_sleep(look, how, NULL);
	return result == -TACT_ETIMEDOUT ? 0 : result;
}

/* Returns -1 for "wait in Linux", else as pthread_mutex_lock(). */
static int wait_as_task(pthread_mutex_t *mutex, tact_timeout_t timeout, unsigned how,
			const struct posix_mutex_lock_ops *ops, bool *woken)
{
	int result;

	if (!owner_is_task(mutex) || !posix_wait_join(mutex))
		return -1;
	/* A thread that unlocks from here on sees the waiter; an earlier unlock is seen by this
	 * try. */
	result = ops->try(mutex);
	if (result == EBUSY && owner_is_task(mutex)) {
		result = sleep_for(mutex, timeout, how);
		if (result)
			return -result;
		*woken = true;
		return ops->try(mutex);
	}
	stop_waiting(mutex);
	return result == EBUSY ? -1 : result;
}

int posix_mutex_contend(pthread_mutex_t *mutex, const struct posix_deadline *deadline,
			const struct posix_mutex_lock_ops *ops)
{
	const unsigned how = deadline->interruptible ? POSIX_WAIT_SIGNALS : POSIX_WAIT_STEADY;
	tact_timeout_t timeout = TACT_FOREVER;
	bool woken = false;
	int result;

	if (deadline->until) {
		if (!posix_clock_is_served(deadline->clock) ||
		    !posix_time_is_valid(deadline->until))
			return ops->lock_in_linux(mutex, deadline);
		timeout = posix_instant(deadline->clock, deadline->until);
	}
	do
		result = wait_as_task(mutex, timeout, how, ops, &woken);
	while (result == EBUSY);
	if (result < 0)
		result = ops->lock_in_linux(mutex, deadline);
	if (woken && result && result != EOWNERDEAD)
		(void)posix_wait_wake(mutex, 1);
	return result;
}

void posix_mutex_lend(pthread_mutex_t *mutex)
{
	posix_inherit_pass(mutex);
	posix_tid_unmark(posix_me.tid);
	(void)posix_wait_wake(mutex, UINT_MAX);
}

void posix_mutex_lent(pthread_mutex_t *mutex)
{
	posix_tid_mark(posix_me.tid);
	if (posix_mutex_kind(mutex) & POSIX_MUTEX_INHERIT)
		posix_inherit_regain(mutex);
}

/*
 * A task that spins by locking a free mutex stays in secondary mode, where other threads of its
 * priority may have only this CPU. So it yields to them from time to time. On Linux they would have
 * another CPU.
 */
static void take_turns(void)
{
	if (++posix_me.locks.locked % LOCKS_A_TURN == 0 && tact_mode() == TACT_MODE_SECONDARY)
		(void)posix_real.sched_yield();
}

static int lock_plain(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	static const struct posix_mutex_lock_ops ops = {try_lock, posix_mutex_lock_in_linux};
	int result;

	/* A try returns EBUSY to the owner, which is to get EDEADLK. */
	if ((posix_mutex_kind(mutex) & POSIX_MUTEX_TYPE) == PTHREAD_MUTEX_ERRORCHECK &&
	    posix_mutex_owner(mutex) == posix_me.tid)
		return posix_mutex_lock_in_linux(mutex, deadline);
	result = try_lock(mutex);
	return result == EBUSY ? posix_mutex_contend(mutex, deadline, &ops) : result;
}

/* The wake-up comes after the unlock: a task that is woken while the caller still owns the mutex
 * would wait again, behind its equals. */
int posix_mutex_unlock_plain(pthread_mutex_t *mutex)
{
	const bool last = posix_mutex_is_last_unlock(mutex);
	const int result = posix_real.pthread_mutex_unlock(mutex);

	if (!result && last)
		(void)posix_wait_wake(mutex, 1);
	return result;
}

/* What a task does with a mutex. */
static const struct ops {
	int (*lock)(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
	int (*trylock)(pthread_mutex_t *mutex);
	int (*unlock)(pthread_mutex_t *mutex);
} plain = {lock_plain, try_lock, posix_mutex_unlock_plain},
  inherit = {posix_inherit_lock, posix_inherit_trylock, posix_inherit_unlock},
  ceiling = {posix_ceiling_lock, posix_ceiling_trylock, posix_ceiling_unlock},
  not_served = {posix_mutex_lock_in_linux, try_lock, posix_mutex_unlock_plain};

/* Where the flags of a kind begin, above the type. */
#define AT(kind) ((unsigned)(kind) / POSIX_MUTEX_ROBUST)
#define KINDS    AT(2 * POSIX_MUTEX_SHARED)
/* A protocol's mutexes, and those of them that are robust, shared or both. */
#define ROW(protocol, ops, other_ops)                                                  \
	[AT(protocol)] = &(ops), [AT((protocol) | POSIX_MUTEX_ROBUST)] = &(other_ops), \
	[AT((protocol) | POSIX_MUTEX_SHARED)] = &(other_ops),                          \
	[AT((protocol) | POSIX_MUTEX_SHARED | POSIX_MUTEX_ROBUST)] = &(other_ops)

/* By kind; not_served: those of which posix_mutex_is_served() says so. */
static const struct ops *const kinds[KINDS] = {
	ROW(0, plain, plain),
	ROW(POSIX_MUTEX_INHERIT, inherit, inherit),
	ROW(POSIX_MUTEX_PROTECT, ceiling, not_served),
	/* No mutex has both, but memory that is none may look so. */
	ROW(POSIX_MUTEX_INHERIT | POSIX_MUTEX_PROTECT, inherit, not_served),
};

static const struct ops *ops_of(const pthread_mutex_t *mutex)
{
	return kinds[AT(posix_mutex_kind(mutex)) % KINDS];
}

int posix_mutex_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	take_turns();
	return ops_of(mutex)->lock(mutex, deadline);
}

int posix_mutex_unlock(pthread_mutex_t *mutex)
{
	return ops_of(mutex)->unlock(mutex);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static const struct posix_deadline none = {.until = NULL};

	if (!posix_is_task())
		return posix_real.pthread_mutex_lock(mutex);
	return posix_mutex_lock(mutex, &none);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	if (!posix_is_task())
		return posix_real.pthread_mutex_trylock(mutex);
	take_turns();
	return ops_of(mutex)->trylock(mutex);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	const struct posix_deadline deadline = {clock, until, false};

	if (!posix_is_task())
		return posix_real.pthread_mutex_clocklock(mutex, clock, until);
	/* The C library returns this even if the mutex is free. */
	if (!posix_clock_is_served(clock))
		return EINVAL;
	return posix_mutex_lock(mutex, &deadline);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	const struct posix_deadline deadline = {CLOCK_REALTIME, until, false};

	if (!posix_is_task())
		return posix_real.pthread_mutex_timedlock(mutex, until);
	return posix_mutex_lock(mutex, &deadline);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	/* The thread may still own a mutex with a ceiling that it locked as a task. */
	if (posix_is_task() || posix_me.locks.ceiling)
		return posix_mutex_unlock(mutex);
	return posix_mutex_unlock_plain(mutex);
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	int result = posix_real.pthread_mutex_destroy(mutex);

	if (!result)
		posix_inherit_destroyed(mutex);
	return result;
}
