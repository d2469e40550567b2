/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The instant of a first instruction. Right after a switch, the processor's caches hold nothing of
 * the clock: the way through libc, the vDSO and its pages then takes 200 to 400 ns, while a warm
 * reading takes about 20. A thread that spins has a warm clock. Therefore the processor's counter,
 * which is one instruction, is read first. Then the clock is read twice, and the time until the
 * second, warm reading is subtracted. This is the same for every core. An interruption makes the
 * result later, never earlier.
 */
#ifndef COMMON_CLOCK_FIRST_H
#define COMMON_CLOCK_FIRST_H

#include "common/clock.h"

extern uint64_t clock_tick_mult; /* nanoseconds in 2^32 steps of the counter */

/* Compare counter and clock, for 10 ms. Without this, clock_first_ns() is a warm reading. */
void clock_first_begin(void);

static inline uint64_t clock_counter(void)
{
	return __builtin_ia32_rdtsc();
}

/* CLOCK_MONOTONIC at the call of this function. */
static inline uint64_t clock_first_ns(void)
{
	const uint64_t first = clock_counter();
	uint64_t passed;

	(void)clock_now_ns();
	passed = clock_counter() - first;
	return clock_now_ns() - (uint64_t)((unsigned __int128)passed * clock_tick_mult >> 32);
}

#endif
