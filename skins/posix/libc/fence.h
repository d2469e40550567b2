/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Full barriers of plain threads for what tasks do seldom, and may never do: until the first of
 * them is about to, they cost a load. Then Linux makes one for all threads at once.
 */
#ifndef POSIX_FENCE_H
#define POSIX_FENCE_H

#include <stdatomic.h>
#include <stdbool.h>

struct posix_fence {
	_Atomic bool made;  /* by each thread for itself */
	_Atomic bool begun; /* and by Linux for those who came before */
};

/*
 * Between what the caller has stored and what it looks at next. False: it need not look, for nobody
 * has begun yet, and who begins sees what it has stored.
 */
static inline bool posix_fence(const struct posix_fence *fence)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(!atomic_load_explicit(&fence->made, memory_order_relaxed), 1))
		return false;
	atomic_thread_fence(memory_order_seq_cst);
	return true;
}

/*
 * Before the first look at what others store before such a fence. False: Linux refuses it, so that
 * nothing may be concluded from what is seen. Cost: the first time, a call of Linux.
 */
bool posix_fence_begin(struct posix_fence *fence);

/* At the start of the program, when Linux makes little of it. */
void posix_fences_prepare(void);

#endif
