/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fork() and its like, by whatever way. */
#ifndef POSIX_FORK_H
#define POSIX_FORK_H

#include <stdbool.h>

/* At the program's start: what is done around its forks from now on. */
void posix_fork_begin(void);

/* Is the caller a task whose thread Linux would not let fork (EAGAIN)? */
bool posix_fork_refused(void);

#endif
