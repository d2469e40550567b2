/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Notes of semaphores: see sem_registry.h. They are changed by compare and exchange, except that
 * those of named semaphores are made and removed under a lock. */
#define _GNU_SOURCE
#include "posix/sync/sem_registry.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "posix/libc/guard.h"
#include "posix/libc/real.h"

#define FLAGS ((uintptr_t)3u)

static _Atomic uintptr_t
	notes[POSIX_SEM_REGISTRY]; /* address and flags; 0: free. First the named ones */
static uint32_t opened[POSIX_SEM_REGISTRY_NAMED]; /* how often; under the lock */
static struct posix_guard guard = POSIX_GUARD_FREE;

static _Atomic uintptr_t *find(uintptr_t address, uint32_t end)
{
	for (uint32_t i = 0; i < end; i++)
		if ((atomic_load_explicit(&notes[i], memory_order_acquire) & ~FLAGS) == address)
			return &notes[i];
	return NULL;
}

uintptr_t posix_sem_registry_flags(uintptr_t address)
{
	_Atomic uintptr_t *place = find(address, POSIX_SEM_REGISTRY);
	uintptr_t there = place ? atomic_load(place) : 0;

	return (there & ~FLAGS) == address ? there & FLAGS : 0;
}

bool posix_sem_registry_is_named(uintptr_t address)
{
	return find(address, POSIX_SEM_REGISTRY_NAMED);
}

uintptr_t posix_sem_registry_watched(uint32_t place)
{
	uintptr_t there = atomic_load(&notes[place]);

	return there & POSIX_SEM_WATCHED ? there & ~FLAGS : 0;
}

/* An unnamed semaphore gets a free place, or that of one for which no task waits. */
static _Atomic uintptr_t *make(uintptr_t address)
{
	for (uintptr_t flags = 0; flags <= POSIX_SEM_PINNED; flags += POSIX_SEM_PINNED)
		for (uint32_t i = POSIX_SEM_REGISTRY_NAMED; i < POSIX_SEM_REGISTRY; i++) {
			uintptr_t there = atomic_load(&notes[i]);

			if ((!there || (there & FLAGS) == flags) &&
			    atomic_compare_exchange_strong(&notes[i], &there, address))
				return &notes[i];
		}
	return NULL;
}

bool posix_sem_registry_set(uintptr_t address, uintptr_t flags)
{
	_Atomic uintptr_t *place = find(address, POSIX_SEM_REGISTRY);
	uintptr_t there;

	if (!place && flags)
		place = make(address);
	if (!place)
		return false;
	there = atomic_load(place);
	if ((there & ~FLAGS) != address || there & POSIX_SEM_PINNED)
		return false;
	return atomic_compare_exchange_strong(place, &there, address | flags);
}

void posix_sem_registry_forked(void)
{
	posix_guard_forked(&guard);
}

static void opens(uintptr_t address)
{
	_Atomic uintptr_t *place = find(address, POSIX_SEM_REGISTRY_NAMED);

	if (!place)
		place = find(0, POSIX_SEM_REGISTRY_NAMED);
	if (place && !opened[place - notes]++)
		atomic_store(place, address);
}

static void closes(uintptr_t address)
{
	_Atomic uintptr_t *place = find(address, POSIX_SEM_REGISTRY_NAMED);

	if (place && opened[place - notes] && !--opened[place - notes])
		atomic_store(place, 0);
}

sem_t *sem_open(const char *name, int flags, ...)
{
	unsigned int value = 0;
	mode_t mode = 0;
	va_list more;
	sem_t *sem;

	va_start(more, flags);
	if (flags & O_CREAT) {
		mode = va_arg(more, mode_t);
		value = va_arg(more, unsigned int);
	}
	va_end(more);
	posix_guard_lock(&guard);
	sem = posix_real.sem_open(name, flags, mode, value);
	if (sem != SEM_FAILED)
		opens((uintptr_t)sem);
	posix_guard_unlock(&guard);
	return sem;
}

int sem_close(sem_t *sem)
{
	int result;

	posix_guard_lock(&guard);
	closes((uintptr_t)sem);
	result = posix_real.sem_close(sem);
	posix_guard_unlock(&guard);
	return result;
}
