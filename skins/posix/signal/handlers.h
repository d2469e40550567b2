/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The function that runs before each handler of the program: see handlers.c. */
#ifndef POSIX_HANDLERS_H
#define POSIX_HANDLERS_H

#include <signal.h>

/* The action to install for the action that the program wants: the same, or *noting, by which this
 * library's function runs first. */
const struct sigaction *posix_handlers_install(int signal, const struct sigaction *wanted,
					       struct sigaction *noting);
/* In an action that is or was installed, replace this library's function by the program's
 * handler. */
void posix_handlers_show(int signal, struct sigaction *installed);

#endif
