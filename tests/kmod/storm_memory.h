/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Linux allows to be done to memory and to processes, for the storm (storm.c). */
#ifndef TESTS_KMOD_STORM_MEMORY_H
#define TESTS_KMOD_STORM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "chance.h"

#define STORM_PAGE  4096u
#define STORM_BYTES (2u << 20) /* at an address that is a multiple of this */

/* Maps memory of one of the possible kinds at the address; all of it may be written. */
bool storm_memory_map(struct chance *chance, void *address);
/* Does one thing to some of its pages. */
void storm_memory_do(struct chance *chance, void *address);
/* Makes another process do one thing to this one. */
void storm_process_do(struct chance *chance, void *address);

#endif
