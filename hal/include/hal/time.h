/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 2: time. One monotonic clock in nanoseconds for everything, the same on every
 * CPU; a cheaper tick counter for accounting only.
 */
#ifndef HAL_TIME_H
#define HAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/cpu.h"

/* Monotonic nanoseconds (CLOCK_MONOTONIC where there is a Linux). Context: any. */
uint64_t hal_now_ns(void);

/* Wall clock minus monotonic clock, as Linux sees it now. Context: any. */
int64_t hal_wall_offset_ns(void);

/* The wall clock in one reading: it runs backwards only when it is set. Context: any. */
uint64_t hal_wall_ns(void);

/* Ticks of a counter that is cheap to read, for run times. Context: any. */
uint64_t hal_ticks(void);
uint64_t hal_ticks_to_ns(uint64_t ticks);

/* What is anticipated on a CPU, in ns; 0 where code costs no time. */
struct hal_gravity {
	/* The nucleus's own path from the end of a spin to the first instruction, at least. */
	uint32_t handler_ns;
	uint32_t light_ns;
	uint32_t task_ns;
	/* The back end's delays, as configured or found. */
	uint32_t idle_ns;
	uint32_t preempt_ns;
};

/* What the back end knows of this CPU: found on this machine, or built in. Context: any, after
 * start. */
void hal_gravity(const struct hal_cpu *cpu, struct hal_gravity *gravity);

/* Return at the instant or just after it; the time counts as spun. Returns hal_ticks() at its end.
 * Context: stalled. */
uint64_t hal_spin_until(uint64_t instant_ns);

/* Let the caller compute for this long (sim: virtual time passes). Context: any, not stalled. */
void hal_compute(uint64_t duration_ns);

#endif
