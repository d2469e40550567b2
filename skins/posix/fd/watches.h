/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The watches of the calling task, by descriptor; its shadow serves them. */
#ifndef POSIX_WATCHES_H
#define POSIX_WATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/watch.h>

/*
 * The calling task's watch of the file behind a descriptor, or NULL. generation: of the number; if
 * it has changed, the file is watched again. The first time this needs calls of Linux. *fresh: the
 * watch is new; may be NULL.
 */
struct tact_watch *posix_watch(int fd, uint32_t generation, bool *fresh);

/* The calling task is no longer a task. */
void posix_watches_leave(void);

#endif
