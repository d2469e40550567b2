/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares the processor's counter with the clock: see clock_first.h. */
#include "common/clock_first.h"

#define COMPARED_NS 10000000u

uint64_t clock_tick_mult;

void clock_first_begin(void)
{
	uint64_t begin, begin_ns, now_ns;

	/* The first reading of a program takes microseconds: symbols are bound, and pages are
	 * loaded. */
	(void)clock_now_ns();
	begin = clock_counter();
	begin_ns = clock_now_ns();
	do
		now_ns = clock_now_ns();
	while (now_ns - begin_ns < COMPARED_NS);
	/* The counter's interval contains the clock's. So an interruption between two readings
	 * makes the subtracted time too small, never too large. */
	clock_tick_mult = ((now_ns - begin_ns) << 32) / (clock_counter() - begin);
}
