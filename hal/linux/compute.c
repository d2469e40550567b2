/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Computing for a while, where time is real. */
#include <stdint.h>

#include "hal/hal.h"

/* Time that passes in one step of a computing loop; more means that something else ran. */
#define COMPUTE_STEP_NS 2000u

/*
 * Elapsed time without what preemption took: in a step that took long, something else ran
 * meanwhile.
 */
void hal_compute(uint64_t duration_ns)
{
	uint64_t last_ns = hal_now_ns();
	uint64_t sum_ns = 0;

	while (sum_ns < duration_ns) {
		uint64_t now_ns = hal_now_ns();
		uint64_t step_ns = now_ns - last_ns;

		sum_ns += step_ns < COMPUTE_STEP_NS ? step_ns : COMPUTE_STEP_NS;
		last_ns = now_ns;
	}
}
