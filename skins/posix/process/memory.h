/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locked memory, as the program has requested it. */
#ifndef POSIX_MEMORY_H
#define POSIX_MEMORY_H

#include <stdbool.h>

/* Has the program unlocked all of its memory? */
bool posix_memory_is_let_go(void);

#endif
