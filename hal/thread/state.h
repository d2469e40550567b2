/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine-wide folder of leases and of what is to be restored. */
#ifndef THREAD_STATE_H
#define THREAD_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* Path of a file in the folder. Returns 0 or -errno. */
int thread_state_path(char *path, size_t capacity, const char *file);

/*
 * A file that all users share, created when there is none, closed on exec. Returns a descriptor or
 * -errno; -EPERM: what has the name is no plain file of one name.
 */
int thread_state_open(const char *file);
/* The same for reading, and only if it is there. */
int thread_state_look(const char *file);

/*
 * A file that is the user's own and that no other user writes; what else has its name is removed.
 * Opened to read, and to write at its end. Returns as thread_state_open(); -ENOENT: there is none,
 * and none is to be made.
 */
int thread_state_open_own(const char *file, bool to_make);
/* Is this still the file of that name? */
bool thread_state_is(const char *file, int fd);

#endif
