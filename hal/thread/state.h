/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine-wide folder of leases and of what is to be restored. */
#ifndef THREAD_STATE_H
#define THREAD_STATE_H

#include <stddef.h>

/* Path of a file in the folder. Returns 0 or -errno. */
int thread_state_path(char *path, size_t capacity, const char *file);
/* The file, created when there is none, closed on exec. Returns a descriptor or -errno. */
int thread_state_open(const char *file);

#endif
