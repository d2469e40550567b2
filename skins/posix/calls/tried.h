/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of Linux, made without a wait: see tried.c and tried_open.c. */
#ifndef POSIX_TRIED_H
#define POSIX_TRIED_H

#include <limits.h>

#define POSIX_CALL_GOES_ON LONG_MIN

/*
 * Returns what Linux's instruction returns if the call does not wait; -EINTR: it would wait;
 * POSIX_CALL_GOES_ON: unknown, and nothing was done. For a call whose arguments allow a wait.
 * Context: any thread in secondary mode, handler. Cost: that of the call.
 */
long posix_tried(long number, const long arguments[6]);
/* The same for open(), openat() and creat(). */
long posix_tried_open(long number, const long arguments[6]);

/* The result of the call, or the negative error number. */
long posix_tried_make(long number, long first, long second, long third, long fourth, long fifth,
		      long sixth);

#endif
