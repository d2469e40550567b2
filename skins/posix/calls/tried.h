/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of Linux's, made without a wait: see tried.c and tried_open.c. */
#ifndef POSIX_TRIED_H
#define POSIX_TRIED_H

#include <limits.h>

#define POSIX_CALL_GOES_ON LONG_MIN

/*
 * What the call gives if it does not wait, as Linux's instruction does; -EINTR: it would wait;
 * POSIX_CALL_GOES_ON: this says nothing, and nothing was done. For a call that may wait by what it
 * was told. Context: any thread in secondary mode, handler. Cost: that of the call.
 */
long posix_tried(long number, const long arguments[6]);
/* The same of open(), openat() and creat(). */
long posix_tried_open(long number, const long arguments[6]);

/* The result of the call, or the negative error number. */
long posix_tried_make(long number, long first, long second, long third, long fourth, long fifth,
		      long sixth);

#endif
