/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the calling task's shadow watches for it, by descriptor. */
#ifndef POSIX_WATCHES_H
#define POSIX_WATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/watch.h>

/*
 * The calling task's watch of the file behind a descriptor, or NULL. turn: another one where the
 * number was another file's before, which its watch ended with. The first time it takes calls of
 * Linux, and *fresh, where it is not NULL, tells so.
 */
struct tact_watch *posix_watch(int fd, uint32_t generation, bool *fresh);

/* The calling task is one no more. */
void posix_watches_leave(void);

#endif
