/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs built with AddressSanitizer or its like, whether or not this library is: a thread that
 * begins or ends there takes locks that are tried again after sched_yield(). One of SCHED_FIFO
 * never yields to a holder below it on its CPU, which so holds the lock for ever. Source: the
 * compilers' sanitizer_common, StaticSpinMutex; sched_yield(2).
 */
#define _GNU_SOURCE

#include "sanitized.h"

#include <sched.h>
#include <stdbool.h>

#include "call.h"

/* Of every sanitizer's run time. Source: sanitizer/common_interface_defs.h. */
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
