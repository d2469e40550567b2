/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Barriers in all threads of the program. Source: membarrier(2). */
#define _GNU_SOURCE
#include "posix/libc/fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "posix/libc/real.h"

static bool query(int command)
{
	const int former = errno;
	const bool done = !posix_real.syscall(SYS_membarrier, command, 0, 0);

	errno = former;
	return done;
}

void posix_fences_prepare(void)
{
	(void)query(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

/* `begun` is written last, because a caller that finds it set relies on the barrier at once. */
bool posix_fence_begin(struct posix_fence *fence)
{
	if (atomic_load_explicit(&fence->begun, memory_order_acquire))
		return true;
	atomic_store(&fence->made, true);
	if (!query(MEMBARRIER_CMD_PRIVATE_EXPEDITED) &&
	    !(query(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
	      query(MEMBARRIER_CMD_PRIVATE_EXPEDITED)))
		return false;
	atomic_store_explicit(&fence->begun, true, memory_order_release);
	return true;
}
