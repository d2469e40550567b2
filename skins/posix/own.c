/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which descriptors are Tactus's own: a bit for each number; one with a larger number is not known.
 */
#define _GNU_SOURCE
#include "own.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "real.h"

#define NUMBERS 65536u
#define BITS    64u

static _Atomic uint64_t own[NUMBERS / BITS];

static uint64_t bit_of(int fd)
{
	return 1ull << ((unsigned)fd % BITS);
}

/* Of a number that is none there is no word. */
static _Atomic uint64_t *word_of(int fd)
{
	return (unsigned)fd < NUMBERS ? &own[(unsigned)fd / BITS] : NULL;
}

int posix_own(int fd)
{
	_Atomic uint64_t *word = word_of(fd);

	if (word)
		atomic_fetch_or_explicit(word, bit_of(fd), memory_order_relaxed);
	return fd;
}

bool posix_is_own(int fd)
{
	const _Atomic uint64_t *word = word_of(fd);

	return word && atomic_load_explicit(word, memory_order_relaxed) & bit_of(fd);
}

bool posix_own_end(int fd)
{
	_Atomic uint64_t *word = word_of(fd);

	return word &&
	       atomic_fetch_and_explicit(word, ~bit_of(fd), memory_order_relaxed) & bit_of(fd);
}

void posix_own_close(int fd)
{
	(void)posix_own_end(fd);
	(void)posix_real.syscall(SYS_close, fd);
}

int posix_own_next(unsigned first)
{
	for (unsigned at = first / BITS; at < NUMBERS / BITS; at++) {
		uint64_t bits = atomic_load_explicit(&own[at], memory_order_relaxed);

		if (at == first / BITS)
			bits &= ~0ull << first % BITS;
		if (bits)
			return (int)(at * BITS) + __builtin_ctzll(bits);
	}
	return -1;
}

void posix_own_forked(void)
{
	for (unsigned at = 0; at < NUMBERS / BITS; at++)
		atomic_store_explicit(&own[at], 0, memory_order_relaxed);
}
