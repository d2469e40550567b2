/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A task's wait for a condition ends after a signal's handler, and returns 0; a program of Cobalt's
 * may count on it. A condition that tasks wait for is not destroyed under them, as Cobalt has it.
 * One whose time has run out is with it until it has the mutex again. Whoever was woken does not
 * wait any more, so a broadcast may be followed by destruction. A thread of Linux that waits is the
 * C library's, whose destruction waits for it.
 */
#include "cobalt_internal.h"

#include <pthread.h>

#include "posix/mutex.h"
#include "posix/seat.h"

__attribute__((constructor)) static void end_by_signals(void)
{
	posix_condition_ends_by_signals = true;
}

static bool is_waited_for(uintptr_t address)
{
	const uint64_t seats = (1u << POSIX_SEAT_BITS) - 1;

	for (struct posix_wait_block *block = posix_wait_blocks(address); block;
	     block = atomic_load_explicit(&block->next, memory_order_acquire))
		for (unsigned int i = 0; i < POSIX_WAIT_SLOTS; i++) {
			uint64_t slot =
				atomic_load_explicit(&block->slots[i], memory_order_acquire);

			if (slot && atomic_load_explicit(&posix_seats[slot & seats].address,
							 memory_order_relaxed) == address)
				return true;
		}
	return false;
}

/* By one whose time has run out, and who waits for the mutex. */
static bool is_given_up(uintptr_t address)
{
	if (!atomic_load(&posix_seats_given_up))
		return false;
	for (unsigned int i = 0; i < POSIX_SEATS; i++)
		if (atomic_load(&posix_seats[i].given_up) == address)
			return true;
	return false;
}

int __wrap_pthread_cond_destroy(pthread_cond_t *cond)
{
	return is_waited_for((uintptr_t)cond) || is_given_up((uintptr_t)cond)
		       ? EBUSY
		       : pthread_cond_destroy(cond);
}
