/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Conditions as Cobalt has them. A task's wait for a condition ends after a signal's handler and
 * returns 0, which programs of Cobalt may expect. A condition is not destroyed while tasks wait for
 * it. A task whose timeout has passed counts as waiting until it has the mutex again. A task that
 * was woken does not wait any more, so a broadcast may be followed by the destruction. Linux
 * threads wait in the C library, whose destruction waits for them. An object that is not a
 * condition is not destroyed. A pointer to a date that cannot be read is EFAULT.
 */
#include "cobalt_internal.h"

#include <pthread.h>

#include "spoilt.h"

__attribute__((constructor)) static void end_by_signals(void)
{
	posix_condition_ends_by_signals = true;
}

static bool is_waited_for(uintptr_t address)
{
	const uint64_t waiters = (1u << POSIX_WAITER_BITS) - 1;

	for (struct posix_wait_block *block = posix_wait_blocks(address); block;
	     block = atomic_load_explicit(&block->next, memory_order_acquire))
		for (unsigned int i = 0; i < POSIX_WAIT_SLOTS; i++) {
			uint64_t slot =
				atomic_load_explicit(&block->slots[i], memory_order_acquire);

			if (slot && atomic_load_explicit(&posix_waiters[slot & waiters].address,
							 memory_order_relaxed) == address)
				return true;
		}
	return false;
}

/* Is there a task whose timeout has passed, and that waits for the mutex? */
static bool is_given_up(uintptr_t address)
{
	if (!atomic_load(&posix_waiters_given_up))
		return false;
	for (unsigned int i = 0; i < POSIX_WAITERS; i++)
		if (atomic_load(&posix_waiters[i].given_up) == address)
			return true;
	return false;
}

int __wrap_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
				  const struct timespec *until)
{
	struct timespec date;

	return posix_safe_copy(&date, until, sizeof(date))
		       ? pthread_cond_clockwait(cond, mutex, clock, &date)
		       : EFAULT;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *until)
{
	struct timespec date;

	return posix_safe_copy(&date, until, sizeof(date))
		       ? pthread_cond_timedwait(cond, mutex, &date)
		       : EFAULT;
}

int __wrap_pthread_cond_destroy(pthread_cond_t *cond)
{
	if (cobalt_cond_is_spoilt(cond))
		return EINVAL;
	return is_waited_for((uintptr_t)cond) || is_given_up((uintptr_t)cond)
		       ? EBUSY
		       : pthread_cond_destroy(cond);
}
