/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether the program has a real-time half. start.c starts it. */
#ifndef POSIX_HALF_H
#define POSIX_HALF_H

#include <stdbool.h>

/* An upcall, start.c: has the program real-time CPUs? The first call starts the real-time half. If
 * that fails, the reason is printed once. */
bool posix_start(void);
bool posix_started(void);
/*
 * Has it started, or would posix_start() start it, as far as is known? If not, as in a fork's
 * child, no call is served here: the arguments are not read before Linux gets them, so that a bad
 * pointer is EFAULT.
 */
bool posix_startable(void);
/* Are the program's threads plain Linux threads from now on, whatever they request? */
bool posix_given_up(void);
/*
 * start.c: start the real-time half by this function, which returns 1, or -1: refused. It is called
 * only once.
 * True: the half has started.
 */
bool posix_half_begin(int (*start)(void));
/* The program's threads are plain Linux threads from here on. False: they were already. */
bool posix_half_give_up(void);
/* In a fork's child. True: it may start one for itself. */
bool posix_half_forked(void);

#endif
