/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores with flags that those of the C library cannot store are semaphores of the nucleus. The
 * handle is in the part of a sem_t that the C library does not use. A service for a shared one
 * calls the owner. Results are 0 or negative error numbers of the nucleus.
 */
#ifndef COBALT_SEM_NATIVE_H
#define COBALT_SEM_NATIVE_H

#include "cobalt_internal.h"

#include <semaphore.h>
#include <stddef.h>

#define SEM_NATIVE_MAGIC 0x7461637473656d31u

struct sem_native {
	struct cobalt_owner owner; /* SEM_PSHARED */
	uint64_t magic;
	tact_sem_t handle;
	int32_t flags;
};
_Static_assert(sizeof(struct sem_native) <= sizeof(sem_t) &&
		       offsetof(struct sem_native, magic) >= 16,
	       "fits, and is told by what the C library does not use");

/* NULL: it is a semaphore of the C library. */
static inline struct sem_native *sem_native_of(sem_t *sem)
{
	struct sem_native *native = (struct sem_native *)(void *)sem;

	return native->magic == SEM_NATIVE_MAGIC ? native : NULL;
}

int sem_native_make(struct sem_native *native, int flags, unsigned int value);
int sem_native_destroy(struct sem_native *native);
int sem_native_post(const struct sem_native *native);
int sem_native_wait(const struct sem_native *native, tact_timeout_t timeout);
int sem_native_broadcast(const struct sem_native *native);
/* Returns how many ids of waiters are in the list, as cobalt_waiters(). */
int sem_native_inquire(const struct sem_native *native, struct cobalt_sem_info *info, pid_t *list,
		       size_t bytes);

#endif
