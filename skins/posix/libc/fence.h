/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Full barriers in plain threads, against something that tasks do rarely or never. Until the first
 * task is about to do it, a barrier costs a load. At that moment Linux makes a barrier in all
 * threads at once.
 */
#ifndef POSIX_FENCE_H
#define POSIX_FENCE_H

#include <stdatomic.h>
#include <stdbool.h>

struct posix_fence {
	_Atomic bool made;  /* each thread makes its own barriers */
	_Atomic bool begun; /* and Linux has made one for the threads that came before */
};

/*
 * Between what the caller has stored and what it looks at next. False: it need not look, because no
 * task has begun yet. A task that begins sees what the caller has stored.
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
 * To be called before the first look at what other threads store before such a fence. False: Linux
 * refuses the barrier, and what is seen proves nothing. Cost: the first time, a call of Linux.
 */
bool posix_fence_begin(struct posix_fence *fence);

/* To be called at the start of the program, when it is cheap for Linux. */
void posix_fences_prepare(void);

#endif
