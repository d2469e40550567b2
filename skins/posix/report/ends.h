/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ends of a program that wants a summary or a trace: a normal one, and one by SIGHUP, SIGINT or
 * SIGTERM where the program leaves these as they are. See ends.c.
 */
#ifndef POSIX_ENDS_H
#define POSIX_ENDS_H

#include <signal.h>

/* Once the real-time half is there; and when nothing may be done at the end any more. */
void posix_ends_begin(void);
void posix_ends_leave(void);
/* In a fork's child, which has no real-time half to tell of. */
void posix_ends_forked(void);

/* What is to be installed for what the program wants: that, or noting, which stands for the default
 * action. */
const struct sigaction *posix_ends_install(int signal, const struct sigaction *wanted,
					   struct sigaction *noting);
/* Of what is or was installed: the default action in place of ours. */
void posix_ends_show(int signal, struct sigaction *installed);

/* At a normal end. Context: linux. */
void posix_ends_write(void);

#endif
