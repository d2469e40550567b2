/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes with priority inheritance have two layers for tasks: a mutex of the nucleus, where tasks
 * contend and priorities are lent along chains, and then the C library's word, where only Linux
 * threads can be in the way; for those the task waits in Linux, whose futexes boost them. The
 * nucleus's mutex is found by the address, in an open hash table that only grows; a destroyed one
 * leaves its place to the next mutex at that address.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

#include "clock.h"
#include "layout.h"
#include "mutex.h"
#include "real.h"
#include "thread.h"

#define PLACES 8192u /* mutexes with inheritance that tasks ever lock, at different addresses */

struct place {
	_Atomic uintptr_t address;
	_Atomic tact_mutex_t mutex; /* 0: none yet, or destroyed */
	_Atomic pid_t owner;
};

static struct place places[PLACES];

static struct place *find(const pthread_mutex_t *mutex, bool make)
{
	uintptr_t address = (uintptr_t)mutex;
	size_t at = (address >> 3) * 0x9e3779b97f4a7c15ull >> 51;

	for (size_t looked = 0; looked < PLACES; looked++, at++) {
		struct place *place = &places[at % PLACES];
		uintptr_t there = atomic_load_explicit(&place->address, memory_order_relaxed);

		if (there == address)
			return place;
		if (there)
			continue;
		if (!make)
			return NULL;
		if (atomic_compare_exchange_strong(&place->address, &there, address) ||
		    there == address)
			return place;
	}
	return NULL;
}

/* Of two that make it at once, one is thrown away. 0: the nucleus has no room. */
static tact_mutex_t mutex_of(struct place *place)
{
	tact_mutex_t none = 0;
	tact_mutex_t made;
	tact_mutex_t mutex = atomic_load_explicit(&place->mutex, memory_order_acquire);

	if (mutex || tact_mutex_create(NULL, TACT_PRIO, 0, &made))
		return mutex;
	if (atomic_compare_exchange_strong(&place->mutex, &none, made))
		return made;
	(void)tact_mutex_delete(made);
	return none;
}

static int lock_in_linux(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	if (!deadline->until)
		return posix_real.pthread_mutex_lock(mutex);
	return posix_real.pthread_mutex_clocklock(mutex, deadline->clock, deadline->until);
}

/* The first layer. 0, an error number, or -1: there is none, the word is all. */
static int lock_first(struct place *place, tact_timeout_t timeout, bool interruptible)
{
	tact_mutex_t mutex = place ? mutex_of(place) : 0;
	int result;

	if (!mutex)
		return -1;
	do
		result = tact_mutex_lock(mutex, timeout);
	while (result == -TACT_EINTR && !interruptible);
	/* The word tells by itself what became of an owner that ended. */
	if (result == -TACT_EOWNERDEAD)
		result = tact_mutex_consistent(mutex);
	switch (result) {
	case 0:
		atomic_store_explicit(&place->owner, posix_me.tid, memory_order_relaxed);
		return 0;
	case -TACT_EAGAIN:
		return EBUSY;
	case -TACT_ETIMEDOUT:
		return ETIMEDOUT;
	case -TACT_EINTR:
		return EINTR;
	case -TACT_EDEADLK:
		return EDEADLK;
	default:
		return -1;
	}
}

static void unlock_first(struct place *place)
{
	tact_mutex_t mutex = atomic_load_explicit(&place->mutex, memory_order_acquire);

	if (atomic_load_explicit(&place->owner, memory_order_relaxed) != posix_me.tid)
		return;
	atomic_store_explicit(&place->owner, 0, memory_order_relaxed);
	(void)tact_mutex_unlock(mutex);
}

int posix_inherit_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	tact_timeout_t timeout = TACT_FOREVER;
	struct place *place;
	int first, result;

	/* Locked again by its owner: what its type says. */
	if (posix_mutex_owner(mutex) == posix_me.tid)
		return lock_in_linux(mutex, deadline);
	if (deadline->until) {
		if (!posix_clock_is_served(deadline->clock) ||
		    !posix_time_is_valid(deadline->until))
			return lock_in_linux(mutex, deadline);
		timeout = posix_instant(deadline->clock, deadline->until);
	}
	place = find(mutex, true);
	first = lock_first(place, TACT_NOWAIT, false);
	if (first == EBUSY)
		first = lock_first(place, timeout, deadline->interruptible);
	if (first > 0)
		return first;
	result = posix_real.pthread_mutex_trylock(mutex);
	if (result == EBUSY)
		result = lock_in_linux(mutex, deadline);
	if (result && result != EOWNERDEAD && !first)
		unlock_first(place);
	return result;
}

int posix_inherit_trylock(pthread_mutex_t *mutex)
{
	struct place *place;
	int first, result;

	if (posix_mutex_owner(mutex) == posix_me.tid)
		return posix_real.pthread_mutex_trylock(mutex);
	place = find(mutex, true);
	first = lock_first(place, TACT_NOWAIT, false);
	if (first > 0)
		return EBUSY;
	result = posix_real.pthread_mutex_trylock(mutex);
	if (result && !first)
		unlock_first(place);
	return result;
}

int posix_inherit_unlock(pthread_mutex_t *mutex)
{
	struct place *place = find(mutex, false);
	int result = posix_real.pthread_mutex_unlock(mutex);

	/* A recursive one may still be owned. */
	if (!result && place && posix_mutex_owner(mutex) != posix_me.tid)
		unlock_first(place);
	return result;
}

void posix_inherit_destroyed(const pthread_mutex_t *mutex)
{
	struct place *place = posix_started() ? find(mutex, false) : NULL;
	tact_mutex_t made = place ? atomic_exchange(&place->mutex, 0) : 0;

	if (made)
		(void)tact_mutex_delete(made);
}

void posix_inherit_give_up(void)
{
	for (size_t i = 0; i < PLACES; i++)
		unlock_first(&places[i]);
}
