/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sealed memory: a nameless file of a fixed length that several processes map. No process can make
 * it shorter, which would end the others by SIGBUS.
 */
#ifndef SESSION_SEALED_H
#define SESSION_SEALED_H

#include <stddef.h>

/* Make it, cleared, mapped and locked where this process may lock. name: shown in /proc. file:
 * receives its descriptor, the caller's. NULL: no memory or descriptor. Context: linux. */
void *sealed_make(const char *name, size_t bytes, int *file);
/* Map a file that came from another process; file stays the caller's. NULL: no memory, or not such
 * a file of this length. Context: linux. */
void *sealed_map(int file, size_t bytes);

#endif
