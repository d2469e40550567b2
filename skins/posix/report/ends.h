/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ends of a program with a summary or a trace: the normal end, and an end by SIGHUP, SIGINT or
 * SIGTERM if the program leaves these their default action. See ends.c.
 */
#ifndef POSIX_ENDS_H
#define POSIX_ENDS_H

#include <signal.h>

/* begin: to be called once the real-time half has started. leave: when no report may be written at
 * the end any more. */
void posix_ends_begin(void);
void posix_ends_leave(void);
/* To be called in a fork's child, which has no real-time half to report. */
void posix_ends_forked(void);

/* The action to install for the action that the program wants: the same, or *noting, which replaces
 * the default action. */
const struct sigaction *posix_ends_install(int signal, const struct sigaction *wanted,
					   struct sigaction *noting);
/* In an action that is or was installed, replace this library's by the default action. */
void posix_ends_show(int signal, struct sigaction *installed);

/* To be called at a normal end. Context: linux. */
void posix_ends_write(void);

#endif
