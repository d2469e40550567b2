/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What stands before each handler of the program's: see handlers.c. */
#ifndef POSIX_HANDLERS_H
#define POSIX_HANDLERS_H

#include <signal.h>

/* What is to be installed for what the program wants: that, or noting, which has ours before it. */
const struct sigaction *posix_handlers_install(int signal, const struct sigaction *wanted,
					       struct sigaction *noting);
/* Of what is or was installed: the program's handler in place of ours. */
void posix_handlers_show(int signal, struct sigaction *installed);

#endif
