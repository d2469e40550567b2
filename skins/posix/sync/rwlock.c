/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader-writer locks that are private to the program. One word contains the readers, or a writer,
 * and whether a thread sleeps for the lock in Linux. No thread ever spins for another one, whatever
 * their priorities. (In the C library readers spin while a writer is between two of its words: for
 * ever, if they keep the writer from the CPU.) Of the tasks that wait, the most urgent looks first.
 * A statically initialised lock is all zero, and the kind is where the C library keeps it. Source:
 * POSIX.1-2017, pthread_rwlock_rdlock(), pthread_rwlock_wrlock(), pthread_rwlock_unlock().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "posix/libc/clock.h"
#include "posix/libc/futex.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/record.h"
#include "posix/sync/mutex.h"

#define WRITER   (1u << 31)
#define SLEEPERS (1u << 30) /* threads sleep in Linux */
#define READERS  (SLEEPERS - 1)

static _Atomic uint32_t *word_of(pthread_rwlock_t *lock)
{
	return (_Atomic uint32_t *)&lock->__data.__readers;
}

/* How many writers wait, for the kind that prefers writers. */
static _Atomic uint32_t *writers_of(pthread_rwlock_t *lock)
{
	return (_Atomic uint32_t *)&lock->__data.__writers;
}

static bool is_shared(const pthread_rwlock_t *lock)
{
	return lock->__data.__shared;
}

static bool writers_first(const pthread_rwlock_t *lock)
{
	return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static int self_tid(void)
{
	return posix_me.list.known ? posix_me.tid : posix_real.gettid();
}

/* 0, EBUSY or EAGAIN. */
static int try_read(pthread_rwlock_t *lock)
{
	_Atomic uint32_t *word = word_of(lock);
	uint32_t now = atomic_load_explicit(word, memory_order_relaxed);

	do {
		if (now & WRITER || (writers_first(lock) && atomic_load(writers_of(lock))))
			return EBUSY;
		if ((now & READERS) == READERS)
			return EAGAIN;
	} while (!atomic_compare_exchange_weak_explicit(word, &now, now + 1, memory_order_seq_cst,
							memory_order_relaxed));
	return 0;
}

static int try_write(pthread_rwlock_t *lock)
{
	_Atomic uint32_t *word = word_of(lock);
	uint32_t now = atomic_load_explicit(word, memory_order_relaxed);

	do {
		if (now & (WRITER | READERS))
			return EBUSY;
	} while (!atomic_compare_exchange_weak_explicit(
		word, &now, now | WRITER, memory_order_seq_cst, memory_order_relaxed));
	lock->__data.__cur_writer = self_tid();
	return 0;
}

typedef int try_function(pthread_rwlock_t *lock);

/*
 * Between the flag and the sleep the lock is tried once more: an unlock either sees the flag or
 * came before it. The sleep is for the word as it was before the try, because an unlock may have
 * changed it since, and another sleeper set the flag again. So readers that come and go also end
 * the sleep before it begins.
 */
static int sleep_in_linux(pthread_rwlock_t *lock, try_function *try,
			  const struct posix_deadline *deadline)
{
	_Atomic uint32_t *word = word_of(lock);
	const uint32_t flagged = atomic_fetch_or(word, SLEEPERS) | SLEEPERS;
	const int result = try(lock);

	if (result != EBUSY)
		return result;
	return posix_futex_wait(word, flagged, deadline->clock, deadline->until) ? ETIMEDOUT
										 : EBUSY;
}

static int sleep_as_task(pthread_rwlock_t *lock, try_function *try, tact_timeout_t timeout)
{
	int result = try(lock);

	if (result != EBUSY) {
		if (posix_wait_leave())
			(void)posix_wait_wake(lock, 1);
		return result;
	}
	result = posix_wait_sleep(timeout, POSIX_WAIT_STEADY, NULL);
	return result ? -result : EBUSY;
}

static void wake(pthread_rwlock_t *lock, uint32_t former)
{
	(void)posix_wait_wake(lock, UINT_MAX);
	if (former & SLEEPERS)
		posix_futex_wake(word_of(lock), INT_MAX);
}

static int wait(pthread_rwlock_t *lock, try_function *try, const struct posix_deadline *deadline)
{
	bool is_task = posix_is_task();
	tact_timeout_t timeout = TACT_FOREVER;
	int result;

	if (is_task && deadline->until)
		timeout = posix_instant(deadline->clock, deadline->until);
	do
		result = is_task && posix_wait_join(lock) ? sleep_as_task(lock, try, timeout)
							  : sleep_in_linux(lock, try, deadline);
	while (result == EBUSY);
	return result;
}

static bool is_bad(const struct posix_deadline *deadline)
{
	return deadline->until &&
	       (!posix_clock_is_served(deadline->clock) || deadline->until->tv_nsec < 0 ||
		deadline->until->tv_nsec >= POSIX_NS_PER_S);
}

static bool is_own(const pthread_rwlock_t *lock)
{
	return __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED) == self_tid();
}

static int read_lock(pthread_rwlock_t *lock, const struct posix_deadline *deadline)
{
	int result;

	if (is_bad(deadline))
		return EINVAL;
	if (is_own(lock))
		return EDEADLK;
	result = try_read(lock);
	return result == EBUSY ? wait(lock, try_read, deadline) : result;
}

static int write_lock(pthread_rwlock_t *lock, const struct posix_deadline *deadline)
{
	int result;

	if (is_bad(deadline))
		return EINVAL;
	if (is_own(lock))
		return EDEADLK;
	result = try_write(lock);
	if (result != EBUSY)
		return result;
	atomic_fetch_add(writers_of(lock), 1);
	result = wait(lock, try_write, deadline);
	atomic_fetch_sub(writers_of(lock), 1);
	/* Readers may have waited only because of this writer. */
	if (result && writers_first(lock))
		wake(lock, atomic_fetch_and(word_of(lock), ~SLEEPERS));
	return result;
}

static const struct posix_deadline none = {.clock = CLOCK_MONOTONIC};

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return is_shared(lock) ? posix_real.pthread_rwlock_rdlock(lock) : read_lock(lock, &none);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return is_shared(lock) ? posix_real.pthread_rwlock_wrlock(lock) : write_lock(lock, &none);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
			       const struct timespec *until)
{
	const struct posix_deadline deadline = {clock, until, false};

	return is_shared(lock) ? posix_real.pthread_rwlock_clockrdlock(lock, clock, until)
			       : read_lock(lock, &deadline);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
			       const struct timespec *until)
{
	const struct posix_deadline deadline = {clock, until, false};

	return is_shared(lock) ? posix_real.pthread_rwlock_clockwrlock(lock, clock, until)
			       : write_lock(lock, &deadline);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, until);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, until);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	return is_shared(lock) ? posix_real.pthread_rwlock_tryrdlock(lock) : try_read(lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	return is_shared(lock) ? posix_real.pthread_rwlock_trywrlock(lock) : try_write(lock);
}

/* After the exchange the memory of the lock may be freed: only its address is used. */
int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	_Atomic uint32_t *word;
	uint32_t now, next;

	if (is_shared(lock))
		return posix_real.pthread_rwlock_unlock(lock);
	word = word_of(lock);
	now = atomic_load_explicit(word, memory_order_relaxed);
	if (now & WRITER)
		lock->__data.__cur_writer = 0;
	do
		next = now & WRITER || (now & READERS) == 1 ? 0 : now - 1;
	while (!atomic_compare_exchange_weak_explicit(word, &now, next, memory_order_seq_cst,
						      memory_order_relaxed));
	if (!next)
		wake(lock, now);
	return 0;
}
