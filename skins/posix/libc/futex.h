/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits of Linux threads for a word of an object that is private to the program. */
#ifndef POSIX_FUTEX_H
#define POSIX_FUTEX_H

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

#include "posix/libc/real.h"

/* until: NULL for ever. Returns 0 or ETIMEDOUT. Both may be spurious, so the caller looks again. */
static inline int posix_futex_wait(_Atomic uint32_t *word, uint32_t value, clockid_t clock,
				   const struct timespec *until)
{
	const int clock_flag = clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0;
	const int former = errno;
	int result = 0;

	if (until && until->tv_sec < 0)
		return ETIMEDOUT;
	if (posix_real.syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE | clock_flag, value,
			       until, NULL, FUTEX_BITSET_MATCH_ANY) &&
	    errno == ETIMEDOUT)
		result = ETIMEDOUT;
	errno = former;
	return result;
}

/* The word may no longer exist: only its address counts. */
static inline void posix_futex_wake(_Atomic uint32_t *word, int most)
{
	const int former = errno;

	(void)posix_real.syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
	errno = former;
}

#endif
