/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of Linux's that a task makes for this skin, where it may make none of its own. */
#ifndef POSIX_LINUX_CALL_H
#define POSIX_LINUX_CALL_H

#include <stdbool.h>

/*
 * Around a Linux call that a task makes for what it asked of this skin itself (a policy, an
 * affinity), which --deny-switch does not mean.
 */
bool posix_linux_begin(void);
void posix_linux_end(bool denied);

#endif
