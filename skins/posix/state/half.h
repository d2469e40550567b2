/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program's real-time half: whether it is there. start.c begins it. */
#ifndef POSIX_HALF_H
#define POSIX_HALF_H

#include <stdbool.h>

/* An upcall, start.c: real-time CPUs are there. Started by the first who asks; a reason why not is
 * printed once. */
bool posix_start(void);
bool posix_started(void);
/*
 * It is, or would be by posix_start(), as far as is known. If not, as in a fork's child, nothing is
 * here: what a call gives Linux is not looked at before, so that a bad pointer is EFAULT.
 */
bool posix_startable(void);
/* Are the program's threads Linux's from now on, whatever they ask for? */
bool posix_given_up(void);
/*
 * start.c: it is begun by this function, which returns 1, or -1: refused; once, whoever asks.
 * True: it is there.
 */
bool posix_half_begin(int (*start)(void));
/* The program's threads are Linux's from here on. False: they were before. */
bool posix_half_give_up(void);
/* In a fork's child: true: it may begin one for itself. */
bool posix_half_forked(void);

#endif
