/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A lock for some instructions of plain threads, without a call of Linux between them. It costs the
 * first thread that takes it only a store, until another thread wants it, too; from then on it
 * costs each thread a locked instruction. A caller must be able to do without it: it does not get
 * the lock if its holder stays preempted, or is the thread that the caller has interrupted.
 */
#ifndef POSIX_BIASED_H
#define POSIX_BIASED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "posix/libc/fence.h"
#include "posix/state/record.h"

struct posix_biased {
	_Atomic pid_t first;  /* the thread that took it first, or 0 */
	_Atomic bool has;     /* the first thread has it, while no other thread has wanted it */
	_Atomic pid_t holder; /* of all threads after that; or 0 */
	struct posix_fence others;
};

/* How the caller has it. */
enum posix_biased_how {
	POSIX_BIASED_NOT = 0,
	POSIX_BIASED_FIRST,
	POSIX_BIASED_HELD,
};

enum posix_biased_how posix_biased_wait(struct posix_biased *lock, pid_t own);

static inline pid_t posix_biased_own(void)
{
	return posix_me.tid ? posix_me.tid : -1; /* a thread that is in no list */
}

/* Context: any thread, handler. */
static inline enum posix_biased_how posix_biased_lock(struct posix_biased *lock)
{
	const pid_t own = posix_biased_own();

	if (__builtin_expect(
		    atomic_load_explicit(&lock->first, memory_order_relaxed) == own &&
			    !atomic_load_explicit(&lock->has, memory_order_relaxed) &&
			    !atomic_load_explicit(&lock->others.made, memory_order_relaxed),
		    1)) {
		atomic_store_explicit(&lock->has, true, memory_order_relaxed);
		if (__builtin_expect(!posix_fence(&lock->others), 1))
			return POSIX_BIASED_FIRST;
		atomic_store_explicit(&lock->has, false, memory_order_release);
	}
	return posix_biased_wait(lock, own);
}

static inline void posix_biased_unlock(struct posix_biased *lock, enum posix_biased_how how)
{
	if (__builtin_expect(how == POSIX_BIASED_FIRST, 1))
		atomic_store_explicit(&lock->has, false, memory_order_release);
	else
		atomic_store_explicit(&lock->holder, 0, memory_order_release);
}

void posix_biased_forked(struct posix_biased *lock); /* in a fork's child: no thread has it */

#endif
