/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Linux lets be done to memory and to processes, for the storm (storm.c). */
#ifndef TESTS_KMOD_STORM_MEMORY_H
#define TESTS_KMOD_STORM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "chance.h"

#define STORM_PAGE  4096u
#define STORM_BYTES (2u << 20) /* at an address that is a multiple of it */

/* Memory of one of the kinds that there are, at the address, all of which may be written. */
bool storm_memory_map(struct chance *chance, void *address);
/* Does one thing to some of its pages. */
void storm_memory_do(struct chance *chance, void *address);
/* Has somebody else do one thing to this process. */
void storm_process_do(struct chance *chance, void *address);

#endif
