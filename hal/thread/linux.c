/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plain Linux threads that wait, for the nucleus or for time. */
#include "thread.h"

#include <errno.h>
#include <limits.h>

#include "call.h"

void hal_linux_wait(struct hal_word *word)
{
	while (!atomic_load_explicit(&word->value, memory_order_acquire))
		call_futex_wait(&word->value, 0, NULL);
}

/*
 * After the store the waiter may have seen it, returned, and given the word's memory to something
 * else. The wake-up takes only the address (a private futex is looked up by it, never read), and if
 * another futex lives there by now its waiters see a spurious wake-up, which all must expect.
 */
void hal_linux_wake(struct hal_word *word)
{
	_Atomic uint32_t *address = &word->value;

	atomic_store_explicit(address, 1, memory_order_release);
	call_futex_wake(address, INT_MAX);
}

/* A fork's child has the program's memory and none of its real-time CPUs. */
bool hal_linux_caller_ok(void)
{
	return !atomic_load_explicit(&thread_program.forked, memory_order_relaxed);
}

void hal_linux_pause(uint64_t duration_ns)
{
	struct timespec until = call_timespec(hal_now_ns() + duration_ns);

	/* A handler that runs meanwhile does not shorten it. */
	while (hal_arch_syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, (long)&until,
				0, 0, 0) == -EINTR)
		;
}
