/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes with a priority ceiling. The C library would raise the thread in Linux, of which the
 * nucleus knows nothing. So a task raises itself in the nucleus, and then locks the C library's
 * word, which contains both the ceiling and the lock. If a ceiling changes while tasks wait, each
 * task adapts to it when it next looks. Source: POSIX.1-2017, pthread_mutex_getprioceiling(),
 * PTHREAD_PRIO_PROTECT.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "posix/libc/clock.h"
#include "posix/libc/futex.h"
#include "posix/libc/layout.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/record.h"
#include "posix/sync/mutex.h"

#define CEILING_SHIFT 19
#define CEILING_MASK  0xfff80000u
#define LOCKED        1u
#define SLEEPERS      2u /* locked, and threads may sleep in Linux */
#define CEILINGS      100

bool posix_ceiling_may_be_lower;

/* How many mutexes of each ceiling the thread has locked as a task. */
static __thread unsigned held[CEILINGS] __attribute__((tls_model("initial-exec")));
/* The ceiling to which it has raised itself for the mutex that it is locking. */
static __thread int wanted __attribute__((tls_model("initial-exec")));

static _Atomic uint32_t *word_of(pthread_mutex_t *mutex)
{
	return (_Atomic uint32_t *)&mutex->__data.__lock;
}

static int ceiling_of(pthread_mutex_t *mutex)
{
	return (int)(atomic_load_explicit(word_of(mutex), memory_order_relaxed) >> CEILING_SHIFT);
}

static int type_of(const pthread_mutex_t *mutex)
{
	return posix_mutex_kind(mutex) & POSIX_MUTEX_TYPE;
}

static void follow(int ceiling)
{
	posix_me.locks.ceiling = ceiling;
	if (posix_is_task())
		(void)tact_task_set_priority(TACT_SELF, posix_level(posix_priority(&posix_me)),
					     TACT_PRIORITY_AHEAD, NULL);
}

/* EINVAL: the caller's own priority is above the ceiling; other ceilings do not count. */
static int raise_to(int ceiling)
{
	if (ceiling >= CEILINGS || (posix_me.priority > ceiling && !posix_ceiling_may_be_lower))
		return EINVAL;
	held[ceiling]++;
	if (ceiling > posix_me.locks.ceiling)
		follow(ceiling);
	return 0;
}

static void drop_from(int ceiling)
{
	int highest = posix_me.locks.ceiling;

	held[ceiling]--;
	while (highest && !held[highest])
		highest--;
	if (highest != posix_me.locks.ceiling)
		follow(highest);
}

/* Raise the caller to the ceiling in this word of the mutex. 0 or EINVAL. */
static int keep_up(uint32_t word)
{
	int ceiling = (int)(word >> CEILING_SHIFT);
	int former = wanted;
	int error;

	if (ceiling == former)
		return 0;
	error = raise_to(ceiling);
	if (error)
		return error;
	wanted = ceiling;
	drop_from(former);
	return 0;
}

static int owned(pthread_mutex_t *mutex)
{
	mutex->__data.__owner = posix_me.tid;
	mutex->__data.__nusers++;
	if (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE)
		mutex->__data.__count = 1;
	return 0;
}

static int try_word(pthread_mutex_t *mutex)
{
	_Atomic uint32_t *word = word_of(mutex);
	uint32_t unlocked = atomic_load_explicit(word, memory_order_relaxed) & CEILING_MASK;
	int error = keep_up(unlocked);

	if (error)
		return error;
	if (!atomic_compare_exchange_strong(word, &unlocked, unlocked | LOCKED))
		return EBUSY;
	return owned(mutex);
}

static int lock_word(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	_Atomic uint32_t *word = word_of(mutex);
	uint32_t now = atomic_load(word);

	for (;;) {
		const uint32_t contended = (now & CEILING_MASK) | SLEEPERS;
		const int error = keep_up(now);

		if (error)
			return error;
		if (now != contended && !atomic_compare_exchange_strong(word, &now, contended))
			continue;
		/* The mutex was unlocked, so the caller owns it now, whichever thread owned it
		 * before. */
		if (!(now & ~CEILING_MASK))
			return owned(mutex);
		if (deadline->until && !posix_time_is_valid(deadline->until))
			return deadline->until->tv_sec < 0 ? ETIMEDOUT : EINVAL;
		if (posix_futex_wait(word, contended, deadline->clock, deadline->until))
			return ETIMEDOUT;
		now = atomic_load(word);
	}
}

/* The owner locks it again: its type decides the result, without a wait. */
static bool is_settled_by_type(const pthread_mutex_t *mutex)
{
	return posix_mutex_owner(mutex) == posix_me.tid &&
	       (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE ||
		type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK);
}

static int begin(pthread_mutex_t *mutex)
{
	wanted = ceiling_of(mutex);
	return raise_to(wanted);
}

int posix_ceiling_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	static const struct posix_mutex_lock_ops ops = {try_word, lock_word};
	int result;

	if (is_settled_by_type(mutex))
		return posix_real.pthread_mutex_lock(mutex);
	if (deadline->until && !posix_clock_is_served(deadline->clock))
		return EINVAL;
	result = begin(mutex);
	if (result)
		return result;
	result = try_word(mutex);
	if (result == EBUSY)
		result = posix_mutex_contend(mutex, deadline, &ops);
	if (result)
		drop_from(wanted);
	return result;
}

int posix_ceiling_trylock(pthread_mutex_t *mutex)
{
	int result;

	if (is_settled_by_type(mutex))
		return posix_real.pthread_mutex_trylock(mutex);
	result = begin(mutex);
	if (result)
		return result;
	result = try_word(mutex);
	if (result)
		drop_from(wanted);
	return result;
}

/* If the thread locked the mutex before it was a task, the C library unlocks it. */
int posix_ceiling_unlock(pthread_mutex_t *mutex)
{
	int ceiling = ceiling_of(mutex);
	uint32_t former;

	if (posix_mutex_owner(mutex) != posix_me.tid || ceiling >= CEILINGS || !held[ceiling])
		return posix_mutex_unlock_plain(mutex);
	if (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE && --mutex->__data.__count)
		return 0;
	mutex->__data.__owner = 0;
	mutex->__data.__nusers--;
	former = atomic_fetch_and(word_of(mutex), CEILING_MASK);
	if ((former & ~CEILING_MASK) == SLEEPERS)
		posix_futex_wake(word_of(mutex), 1);
	(void)posix_wait_wake(mutex, 1);
	drop_from(ceiling);
	return 0;
}

/* Has the caller locked it, as a task? */
static bool is_held(pthread_mutex_t *mutex)
{
	int kind = posix_mutex_kind(mutex);
	int ceiling;

	if (!(kind & POSIX_MUTEX_PROTECT) || !posix_mutex_is_served(kind) ||
	    posix_mutex_owner(mutex) != posix_me.tid)
		return false;
	ceiling = ceiling_of(mutex);
	return ceiling < CEILINGS && held[ceiling];
}

static int change_own(pthread_mutex_t *mutex, int ceiling, int *former)
{
	_Atomic uint32_t *word = word_of(mutex);
	uint32_t now = atomic_load(word);

	if (ceiling < 1 || ceiling >= CEILINGS)
		return EINVAL;
	wanted = ceiling_of(mutex);
	if (former)
		*former = wanted;
	held[ceiling]++;
	if (ceiling > posix_me.locks.ceiling)
		follow(ceiling);
	drop_from(wanted);
	while (!atomic_compare_exchange_weak(
		word, &now, (now & ~CEILING_MASK) | (uint32_t)ceiling << CEILING_SHIFT))
		;
	posix_futex_wake(word, INT_MAX);
	return 0;
}

/* For a recursive mutex the C library would lower and raise the owner in Linux. */
int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *former)
{
	int result = is_held(mutex) && type_of(mutex) == PTHREAD_MUTEX_RECURSIVE
			     ? change_own(mutex, ceiling, former)
			     : posix_real.pthread_mutex_setprioceiling(mutex, ceiling, former);

	if (!result)
		(void)posix_wait_wake(mutex, UINT_MAX);
	return result;
}
