/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals, a bit each. */
#ifndef POSIX_SIGNAL_BITS_H
#define POSIX_SIGNAL_BITS_H

#include <signal.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t posix_signal_bit(int signal)
{
	return 1ull << (signal - 1);
}

/* The C library's own, and the two that nobody can wait for or block. */
#define POSIX_SIGNALS_NEVER \
	(1ull << 31 | 1ull << 32 | 1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1))

/* By which Linux tells of pointers that lead nowhere. */
#define POSIX_SIGNALS_OF_FAULTS (1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1))

/* Of a set, without those that nobody can block. */
static inline uint64_t posix_signal_bits(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits & ~POSIX_SIGNALS_NEVER;
}

#endif
