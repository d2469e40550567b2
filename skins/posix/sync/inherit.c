/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes with priority inheritance have two layers for tasks: first a mutex of the nucleus, where
 * tasks contend and priorities are inherited along chains, and then the C library's word, which
 * only a Linux thread can still own. For such an owner the task waits in Linux, whose futexes boost
 * it. The nucleus's mutex is found by the address, in open hash tables to which entries are only
 * added; a destroyed mutex leaves its entry to the next one at that address. Robust and shared
 * mutexes also have both layers: the word reports owners that ended and other programs, whose
 * threads the kernel queues behind the one task that has passed the first layer.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/growing.h"
#include "posix/libc/clock.h"
#include "posix/libc/layout.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/record.h"
#include "posix/sync/mutex.h"

#define PLACE_BITS \
	13u /* a table has one place for each address of a mutex that a task ever locks */
#define PLACES (1u << PLACE_BITS)
#define TABLES 1024u
#define PROBES 64u /* how many places are tried before the next table */

struct place {
	_Atomic uintptr_t address;
	_Atomic tact_mutex_t mutex; /* 0: none yet, or destroyed */
	_Atomic pid_t owner;
};

/* Each chunk is an open hash table. */
BASE_GROWING(tables, struct place, PLACE_BITS, TABLES);
/* How many first layers the caller has locked. */
static __thread unsigned held __attribute__((tls_model("initial-exec")));

static bool add_table(uint32_t count)
{
	const size_t bytes = base_growing_chunk_bytes(&tables);
	void *table;

	if (!base_growing_may_grow(&tables, count))
		return false;
	table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (table == MAP_FAILED)
		return false;
	if (!base_growing_add(&tables, count, table))
		munmap(table, bytes);
	return true;
}

/* A place is never emptied, so behind an empty place the address cannot be found. */
static struct place *find_in(struct place *table, uintptr_t address, bool make, bool *full)
{
	size_t at = (address >> 3) * 0x9e3779b97f4a7c15ull >> 51;

	*full = false;
	for (size_t looked = 0; looked < PROBES; looked++, at++) {
		struct place *place = &table[at % PLACES];
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
	*full = true;
	return NULL;
}

static struct place *find(const pthread_mutex_t *mutex, bool make)
{
	for (uint32_t from = 0;; from += PLACES) {
		struct place *place;
		bool full;

		if (from == base_growing_count(&tables) && (!make || !add_table(from)))
			return NULL;
		place = find_in(base_growing_at(&tables, from), (uintptr_t)mutex, make, &full);
		if (!full)
			return place;
	}
}

/* If two tasks make it at once, one of the two is deleted. TACT_NONE: the nucleus has no
 * room. */
static tact_mutex_t mutex_of(struct place *place)
{
	tact_mutex_t none = {0};
	tact_mutex_t made;
	tact_mutex_t mutex = atomic_load_explicit(&place->mutex, memory_order_acquire);

	if (mutex.id || tact_mutex_create(NULL, TACT_PRIO, 0, &made))
		return mutex;
	if (atomic_compare_exchange_strong(&place->mutex, &none, made))
		return made;
	(void)tact_mutex_delete(made);
	return none;
}

/* Lock the first layer. 0, an error number, or -1: there is no first layer, only the word. */
static int lock_first(struct place *place, tact_timeout_t timeout, bool interruptible)
{
	tact_mutex_t mutex = place ? mutex_of(place) : (tact_mutex_t){0};
	int result;

	if (!mutex.id)
		return -1;
	do
		result = posix_wait_result(tact_mutex_lock(mutex, timeout));
	while (result == -TACT_EINTR && !interruptible);
	/* The word itself says whether an owner has ended. */
	if (result == -TACT_EOWNERDEAD)
		result = tact_mutex_consistent(mutex);
	switch (result) {
	case 0:
		atomic_store_explicit(&place->owner, posix_me.tid, memory_order_relaxed);
		held++;
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

/* Give up the first layer. Returns its mutex, which the caller is to unlock; TACT_NONE: the
 * caller does not own it. */
static tact_mutex_t detach(struct place *place)
{
	tact_mutex_t mutex = atomic_load_explicit(&place->mutex, memory_order_acquire);

	if (atomic_load_explicit(&place->owner, memory_order_relaxed) != posix_me.tid)
		return (tact_mutex_t){0};
	atomic_store_explicit(&place->owner, 0, memory_order_relaxed);
	held--;
	return mutex;
}

static void unlock_first(struct place *place)
{
	tact_mutex_t mutex = detach(place);

	if (mutex.id)
		(void)tact_mutex_unlock(mutex);
}

int posix_inherit_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline)
{
	tact_timeout_t timeout = TACT_FOREVER;
	struct place *place;
	int first, result;

	/* The owner locks it again: its type decides the result. */
	if (posix_mutex_owner(mutex) == posix_me.tid)
		return posix_mutex_lock_in_linux(mutex, deadline);
	if (deadline->until) {
		if (!posix_clock_is_served(deadline->clock) ||
		    !posix_time_is_valid(deadline->until))
			return posix_mutex_lock_in_linux(mutex, deadline);
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
		result = posix_mutex_lock_in_linux(mutex, deadline);
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
	if (result && result != EOWNERDEAD && !first)
		unlock_first(place);
	return result;
}

/* After the word was unlocked, the mutex may be destroyed, its memory freed, and its place used for
 * another mutex. So the first layer is given up before. */
int posix_inherit_unlock(pthread_mutex_t *mutex)
{
	struct place *place = find(mutex, false);
	tact_mutex_t first = {0};
	int result;

	if (place && posix_mutex_is_last_unlock(mutex))
		first = detach(place);
	result = posix_real.pthread_mutex_unlock(mutex);
	if (first.id)
		(void)tact_mutex_unlock(first);
	return result;
}

void posix_inherit_destroyed(const pthread_mutex_t *mutex)
{
	struct place *place = posix_started() ? find(mutex, false) : NULL;
	tact_mutex_t made = {0};

	if (place)
		made = atomic_exchange(&place->mutex, made);
	if (made.id)
		(void)tact_mutex_delete(made);
}

void posix_inherit_pass(const pthread_mutex_t *mutex)
{
	struct place *place = find(mutex, false);

	if (place)
		unlock_first(place);
}

void posix_inherit_regain(const pthread_mutex_t *mutex)
{
	if (posix_mutex_owner(mutex) == posix_me.tid)
		(void)lock_first(find(mutex, true), TACT_NOWAIT, false);
}

void posix_inherit_give_up(void)
{
	for (uint32_t i = 0; i < base_growing_count(&tables) && held; i++)
		unlock_first(base_growing_at(&tables, i));
}
