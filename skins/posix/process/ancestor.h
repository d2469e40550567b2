/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who began this program. */
#ifndef POSIX_ANCESTOR_H
#define POSIX_ANCESTOR_H

#include <stdbool.h>

/* Is a CPU's holder, whom the reason of the start names, a process that began this one, or one that
 * did? */
bool posix_names_ancestor(const char *reason);

#endif
