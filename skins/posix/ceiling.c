/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes with a priority ceiling. The C library would have Linux raise the thread, of which the
 * nucleus knows nothing; so a task raises itself in the nucleus, and then takes the C library's
 * word, where the ceiling and the lock are kept together. Source: POSIX.1-2017,
 * pthread_mutex_getprioceiling(), PTHREAD_PRIO_PROTECT.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "clock.h"
#include "futex.h"
#include "layout.h"
#include "mutex.h"
#include "real.h"
#include "thread.h"
#include "wait.h"

#define CEILING_SHIFT 19
#define CEILING_MASK  0xfff80000u
#define LOCKED        1u
#define SLEEPERS      2u /* locked, and there may be some in Linux */
#define CEILINGS      100

bool posix_ceiling_may_be_lower;

/* How many mutexes of each ceiling the thread has locked as a task. */
static __thread unsigned held[CEILINGS] __attribute__((tls_model("initial-exec")));

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
	posix_me.ceiling = ceiling;
	if (posix_is_task())
		(void)tact_task_change_priority(TACT_SELF, posix_level(posix_priority(&posix_me)),
						NULL);
}

/* EINVAL: the caller is above it already, by its own priority: other ceilings do not count. */
static int raise_to(int ceiling)
{
	if (ceiling >= CEILINGS || (posix_me.priority > ceiling && !posix_ceiling_may_be_lower))
		return EINVAL;
	held[ceiling]++;
	if (ceiling > posix_me.ceiling)
		follow(ceiling);
	return 0;
}

static void drop_from(int ceiling)
{
	int highest = posix_me.ceiling;

	held[ceiling]--;
	while (highest && !held[highest])
		highest--;
	if (highest != posix_me.ceiling)
		follow(highest);
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

	if (!atomic_compare_exchange_strong(word, &unlocked, unlocked | LOCKED))
		return EBUSY;
	return owned(mutex);
}

static int lock_in_linux(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	_Atomic uint32_t *word = word_of(mutex);
	uint32_t now = atomic_load(word);

	for (;;) {
		const uint32_t contended = (now & CEILING_MASK) | SLEEPERS;

		if (now != contended && !atomic_compare_exchange_strong(word, &now, contended))
			continue;
		/* Whoever it was before: what was unlocked is the caller's now. */
		if (!(now & ~CEILING_MASK))
			return owned(mutex);
		if (deadline->until && !posix_time_is_valid(deadline->until))
			return deadline->until->tv_sec < 0 ? ETIMEDOUT : EINVAL;
		if (posix_futex_wait(word, contended, deadline->clock, deadline->until))
			return ETIMEDOUT;
		now = atomic_load(word);
	}
}

/* Locked again by its owner: the type says what becomes of it, without a wait. */
static bool is_settled_by_type(const pthread_mutex_t *mutex)
{
	return posix_mutex_owner(mutex) == posix_me.tid &&
	       (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE ||
		type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK);
}

int posix_ceiling_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	static const struct posix_mutex_way way = {try_word, lock_in_linux};
	int ceiling = ceiling_of(mutex);
	int result;

	if (is_settled_by_type(mutex))
		return posix_real.pthread_mutex_lock(mutex);
	if (deadline->until && !posix_clock_is_served(deadline->clock))
		return EINVAL;
	result = raise_to(ceiling);
	if (result)
		return result;
	result = try_word(mutex);
	if (result == EBUSY)
		result = posix_mutex_contend(mutex, deadline, &way);
	if (result)
		drop_from(ceiling);
	return result;
}

int posix_ceiling_trylock(pthread_mutex_t *mutex)
{
	int ceiling = ceiling_of(mutex);
	int result;

	if (is_settled_by_type(mutex))
		return posix_real.pthread_mutex_trylock(mutex);
	result = raise_to(ceiling);
	if (result)
		return result;
	result = try_word(mutex);
	if (result)
		drop_from(ceiling);
	return result;
}

/* One that the thread locked while it was none of ours is the C library's to unlock. */
int posix_ceiling_unlock(pthread_mutex_t *mutex)
{
	int ceiling = ceiling_of(mutex);
	uint32_t former;

	if (posix_mutex_owner(mutex) != posix_me.tid || ceiling >= CEILINGS || !held[ceiling]) {
		int result = posix_real.pthread_mutex_unlock(mutex);

		if (!result)
			(void)posix_wait_wake(mutex, 1);
		return result;
	}
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
