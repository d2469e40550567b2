/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of Tactus's own, which the program does not know of. A program closes whatever is
 * open above its own, as daemons do before they begin; theirs it finds closed already, and its
 * tasks go on.
 */
#ifndef POSIX_INTERNAL_FDS_H
#define POSIX_INTERNAL_FDS_H

#include <stdbool.h>

/* From now on one of ours, by whatever number it has, or an error (below 0). Returns it. */
int posix_internal_fd(int fd);

bool posix_is_internal_fd(int fd);

/* No more one of ours: before it is closed. Returns whether it was. */
bool posix_internal_fd_end(int fd);

/* Closes it; no cancellation point. */
void posix_internal_fd_close(int fd);

/* The first one from `first` on, or -1. Cost: O(descriptors). */
int posix_internal_fd_next(unsigned first);

/* Close all others from `first` on, one by one, where Linux does not do it at once. False: /proc is
 * not there to tell which. */
bool posix_internal_fd_close_others(int first);

/* In a fork's child, which may close all of them. */
void posix_internal_fds_forked(void);

#endif
