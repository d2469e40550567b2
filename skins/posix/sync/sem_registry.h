/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores that other programs may post: a note of each, which is a word with its address. A
 * named one has a note while it is open. Others have separate places, and a semaphore that was
 * destroyed keeps its place until another one needs it. The thread that waits for them writes the
 * notes (shared_sem.c), and all threads read them.
 */
#ifndef POSIX_SEM_REGISTRY_H
#define POSIX_SEM_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#define POSIX_SEM_REGISTRY_NAMED   64u
#define POSIX_SEM_REGISTRY_UNNAMED 32u
#define POSIX_SEM_REGISTRY         (POSIX_SEM_REGISTRY_NAMED + POSIX_SEM_REGISTRY_UNNAMED)

#define POSIX_SEM_WATCHED 1u /* a task that begins to wait need not ring */
#define POSIX_SEM_PINNED  2u /* another program has posted it while a task waited: Linux's */

/* The flags of a semaphore; also 0 if it has no note. Context: any. Cost: O(notes). */
uintptr_t posix_sem_registry_flags(uintptr_t address);
bool posix_sem_registry_is_named(uintptr_t address);

/* Called by the thread that waits: set these flags, or end WATCHED (0). False: there is no place
 * for it, or it is PINNED already. */
bool posix_sem_registry_set(uintptr_t address, uintptr_t flags);
/* The address in that place if it is WATCHED, or 0. */
uintptr_t posix_sem_registry_watched(uint32_t place);

void posix_sem_registry_forked(void);

#endif
