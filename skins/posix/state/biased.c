/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rare cases: see biased.h. Another thread makes a barrier in all threads, and then looks
 * whether the first one still has the lock. */
#define _GNU_SOURCE
#include "posix/state/biased.h"

#include <sys/syscall.h>

#include "posix/libc/real.h"

#define PAUSE_NS 50000
#define PAUSES   100

static bool try_to_lock(struct posix_biased *lock, pid_t own)
{
	pid_t nobody = 0;

	if (!atomic_compare_exchange_strong(&lock->holder, &nobody, own))
		return false;
	if (!atomic_load_explicit(&lock->has, memory_order_acquire))
		return true;
	atomic_store_explicit(&lock->holder, 0, memory_order_release);
	return false;
}

enum posix_biased_how posix_biased_wait(struct posix_biased *lock, pid_t own)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	const int former = errno;
	pid_t first = 0;

	if (own > 0 && atomic_compare_exchange_strong(&lock->first, &first, own))
		return posix_biased_lock(lock);
	/* The caller is a handler that has interrupted the holder. */
	if ((first == own && atomic_load(&lock->has)) || atomic_load(&lock->holder) == own)
		return POSIX_BIASED_NOT;
	if (!posix_fence_begin(&lock->others))
		return POSIX_BIASED_NOT;
	for (int i = 0; i < PAUSES; i++) {
		if (try_to_lock(lock, own))
			return POSIX_BIASED_HELD;
		/* This is no cancellation point. */
		(void)posix_real.syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
		errno = former;
	}
	return POSIX_BIASED_NOT;
}

void posix_biased_forked(struct posix_biased *lock)
{
	if (atomic_load(&lock->first) || atomic_load(&lock->has) || atomic_load(&lock->holder)) {
		atomic_store(&lock->first, 0);
		atomic_store(&lock->has, false);
		atomic_store(&lock->holder, 0);
	}
}
