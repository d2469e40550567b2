/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals, a bit for each. */
#ifndef POSIX_SIGNAL_BITS_H
#define POSIX_SIGNAL_BITS_H

#include <signal.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t posix_signal_bit(int signal)
{
	return 1ull << (signal - 1);
}

/* The signals of the C library, and the two that cannot be waited for or blocked. */
#define POSIX_SIGNALS_NEVER \
	(1ull << 31 | 1ull << 32 | 1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1))

/* The signals by which Linux reports bad pointers. */
#define POSIX_SIGNALS_OF_FAULTS (1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1))

/* The bits of a set, without the signals that cannot be blocked. */
static inline uint64_t posix_signal_bits(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits & ~POSIX_SIGNALS_NEVER;
}

#endif
