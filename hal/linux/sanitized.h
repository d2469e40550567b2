/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sanitizers, which keep track of threads and stacks. */
#ifndef LINUX_SANITIZED_H
#define LINUX_SANITIZED_H

#include <stdbool.h>

bool linux_is_sanitized(void);
void linux_ends(void); /* the last thing that a thread of Tactus's own does */

#endif
