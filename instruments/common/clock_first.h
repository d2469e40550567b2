/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The instant of a first instruction. Code that has just been switched to finds nothing of the
 * clock in the processor's caches: the way through libc, the vDSO and its pages takes 200 to 400 ns
 * then, of which a warm reading takes some 20. A thread that spins reads its clock warm. So the
 * processor's counter, which is one instruction, is read first; the clock is read twice, and what
 * has passed until the second, warm reading is taken off: for every core in the same way. What
 * interrupts that makes the result later, never earlier.
 */
#ifndef COMMON_CLOCK_FIRST_H
#define COMMON_CLOCK_FIRST_H

#include "common/clock.h"

extern uint64_t clock_tick_mult; /* nanoseconds in 2^32 steps of the counter */

/* Compare counter and clock, for 10 ms. Without it clock_first_ns() is a warm reading. */
void clock_first_begin(void);

static inline uint64_t clock_counter(void)
{
	return __builtin_ia32_rdtsc();
}

/* CLOCK_MONOTONIC when the caller came here. */
static inline uint64_t clock_first_ns(void)
{
	const uint64_t first = clock_counter();
	uint64_t passed;

	(void)clock_now_ns();
	passed = clock_counter() - first;
	return clock_now_ns() - (uint64_t)((unsigned __int128)passed * clock_tick_mult >> 32);
}

#endif
