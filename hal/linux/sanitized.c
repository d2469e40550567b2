/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs built with AddressSanitizer or a similar sanitizer, whether or not this library is. A
 * thread that begins or ends there takes spin locks, and calls sched_yield() between two tries. A
 * SCHED_FIFO thread never yields to a lower thread on its CPU. If that thread holds the lock, it
 * can never release it. Source: the compilers' sanitizer_common, StaticSpinMutex; sched_yield(2).
 */
#define _GNU_SOURCE

#include "sanitized.h"

#include <sched.h>
#include <stdbool.h>

#include "call.h"

/* Every sanitizer's run time has this function. Source: sanitizer/common_interface_defs.h. */
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

bool linux_is_sanitized(void)
{
	return __sanitizer_print_stack_trace;
}

void linux_ends(void)
{
	if (linux_is_sanitized())
		call_scheduler(0, 0);
}
