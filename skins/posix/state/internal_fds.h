/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of Tactus's own, which the program does not know of. Some programs close all
 * descriptors above their own, as daemons do when they begin. They find Tactus's descriptors closed
 * already, and their tasks continue.
 */
#ifndef POSIX_INTERNAL_FDS_H
#define POSIX_INTERNAL_FDS_H

#include <stdbool.h>

/* From now on this is one of Tactus's own descriptors. fd: also an error (below 0). Returns fd. */
int posix_internal_fd(int fd);

bool posix_is_internal_fd(int fd);

/* From now on it is not one of them; to be called before it is closed. Returns whether it was. */
bool posix_internal_fd_end(int fd);

/* Close it. No cancellation point. */
void posix_internal_fd_close(int fd);

/* The first one from `first` on, or -1. Cost: O(descriptors). */
int posix_internal_fd_next(unsigned first);

/* Close all other descriptors from `first` on, one by one, if Linux cannot close them at once.
 * False: they cannot be listed, because /proc is missing. */
bool posix_internal_fd_close_others(int first);

/* In a fork's child, where the program may close all of them. */
void posix_internal_fds_forked(void);

#endif
