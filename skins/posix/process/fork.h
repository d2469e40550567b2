/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fork() and similar calls, however they are made. */
#ifndef POSIX_FORK_H
#define POSIX_FORK_H

#include <stdbool.h>

/* To be called at the program's start: registers the steps around its forks. */
void posix_fork_begin(void);

/* Is the caller a task whose thread Linux would refuse a fork (EAGAIN)? */
bool posix_fork_refused(void);

#endif
