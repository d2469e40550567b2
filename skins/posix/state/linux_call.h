/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linux calls that this skin makes in a task that may make no Linux call itself. */
#ifndef POSIX_LINUX_CALL_H
#define POSIX_LINUX_CALL_H

#include <stdbool.h>

/*
 * To be called around a Linux call that serves a request of the task to this skin (a policy, an
 * affinity). --deny-switch does not apply to such calls.
 */
bool posix_linux_begin(void);
void posix_linux_end(bool denied);

#endif
