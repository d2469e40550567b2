/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Descriptors by numbers that programs do not count on. */
#ifndef LINUX_HIGH_FD_H
#define LINUX_HIGH_FD_H

/* The same file (or error, below 0) by such a number; it is closed by an exec. Context: linux. */
int linux_high_fd(int fd);
/* And the end of one: no cancellation point, for what goes on around it is none. */
void linux_close(int fd);

#endif
