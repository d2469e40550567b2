/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Descriptors with numbers on which programs do not depend. */
#ifndef LINUX_HIGH_FD_H
#define LINUX_HIGH_FD_H

/* The same file (or error, below 0) by such a number; an exec closes it. Context: linux. */
int linux_high_fd(int fd);
/* Close a descriptor. No cancellation point, because the operations around it are none. */
void linux_close(int fd);

#endif
