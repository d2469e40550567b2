/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that the program gives back. The start locks the program's memory. Linux refuses to take
 * back locked memory (EINVAL), and some allocators and garbage collectors then end the program.
 * Source: madvise(2), mlockall(2).
 */
#define _GNU_SOURCE
#include "posix/process/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "posix/libc/real.h"
#include "posix/state/half.h"

#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24 /* Linux 5.18 */
#endif

enum { UNTOLD, LOCKED, DETACH };

/* the program's own request for all of its memory. LOCKED: the program gets Linux's answers */
static _Atomic int wish;

bool posix_memory_is_let_go(void)
{
	return atomic_load(&wish) == DETACH;
}

int mlockall(int flags)
{
	int result = posix_real.mlockall(flags);

	if (!result && !posix_from_tactus(__builtin_return_address(0)))
		atomic_store(&wish, LOCKED);
	return result;
}

int munlockall(void)
{
	int result = posix_real.munlockall();

	if (!result)
		atomic_store(&wish, DETACH);
	return result;
}

/* A later access there is a page fault, as in memory that was allocated after the start. */
static int give_back(void *memory, size_t bytes, int advice)
{
	int result;

	if (advice == MADV_DONTNEED && !posix_real.madvise(memory, bytes, MADV_DONTNEED_LOCKED))
		return 0;
	posix_real.munlock(memory, bytes);
	result = posix_real.madvise(memory, bytes, advice);
	if (result) {
		const int error = errno;

		posix_real.mlock(memory, bytes);
		errno = error;
	}
	return result;
}

int madvise(void *memory, size_t bytes, int advice)
{
	const int former = errno;
	int result = posix_real.madvise(memory, bytes, advice);

	if (!result || errno != EINVAL || !posix_started() || atomic_load(&wish) == LOCKED)
		return result;
	switch (advice) {
	case MADV_COLD:
	case MADV_DONTNEED:
	case MADV_FREE:
	case MADV_PAGEOUT:
	case MADV_REMOVE:
		result = give_back(memory, bytes, advice);
		break;
	default:
		break;
	}
	if (!result)
		errno = former;
	return result;
}
