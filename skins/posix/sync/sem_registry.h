/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is known of semaphores that other programs may post: a note of each, a word with its
 * address. Named ones have theirs while they are open; others have places of their own, and one
 * that is gone keeps it until it is wanted. Written by the thread that waits for them
 * (shared_sem.c), read by all.
 */
#ifndef POSIX_SEM_REGISTRY_H
#define POSIX_SEM_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#define POSIX_SEM_REGISTRY_NAMED   64u
#define POSIX_SEM_REGISTRY_UNNAMED 32u
#define POSIX_SEM_REGISTRY         (POSIX_SEM_REGISTRY_NAMED + POSIX_SEM_REGISTRY_UNNAMED)

#define POSIX_SEM_WATCHED  1u /* who begins to wait need not ring */
#define POSIX_SEM_EXTERNAL 2u /* another program has posted it while a task waited: Linux's */

/* Its flags; 0 without a note, too. Context: any. Cost: O(notes). */
uintptr_t posix_sem_registry_flags(uintptr_t address);
bool posix_sem_registry_is_named(uintptr_t address);

/* By the thread that waits: set these, or end WATCHED (0). False: there is no place for it, or it
 * is EXTERNAL already. */
bool posix_sem_registry_set(uintptr_t address, uintptr_t flags);
/* The address in that place if it is WATCHED, or 0. */
uintptr_t posix_sem_registry_watched(uint32_t place);

void posix_sem_registry_forked(void);

#endif
