/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 2: time. One monotonic clock in nanoseconds for everything, the same on every
 * CPU, and a counter of ticks that is cheaper to read and serves accounting only.
 */
#ifndef HAL_TIME_H
#define HAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/cpu.h"

/* The monotonic clock in nanoseconds (CLOCK_MONOTONIC if there is a Linux below). Context: any. */
uint64_t hal_now_ns(void);

/* The wall clock minus the monotonic clock, as Linux has them now. Context: any. */
int64_t hal_wall_offset_ns(void);

/* The wall clock, read in one step: it runs backwards only when it is set. Context: any. */
uint64_t hal_wall_ns(void);

/* The ticks of a counter that is cheap to read, for run times. Context: any. */
uint64_t hal_ticks(void);
uint64_t hal_ticks_to_ns(uint64_t ticks);

/* How early a CPU begins, so that a task starts on time, in ns; 0 if code costs no time (sim). */
struct hal_gravity {
	/* The shortest path of the nucleus from the end of a spin to the first instruction. */
	uint32_t handler_ns;
	uint32_t light_ns;
	uint32_t task_ns;
	/* The delays of the back end, as configured or as measured. */
	uint32_t idle_ns;
	uint32_t preempt_ns;
};

/* The gravity of this CPU as the back end knows it: measured on this machine, or built in.
 * Context: any, after the start. */
void hal_gravity(const struct hal_cpu *cpu, struct hal_gravity *gravity);

/* Spin, and return at the instant or just after it. The time counts as spun. Returns hal_ticks() at
 * the end. Context: stalled. */
uint64_t hal_spin_until(uint64_t instant_ns);

/* Let the caller compute for this long (on sim virtual time passes). Context: any, not stalled. */
void hal_compute(uint64_t duration_ns);

#endif
