/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 2: time. One monotonic clock in nanoseconds for everything, the same on every
 * CPU; a cheaper tick counter for accounting only.
 */
#ifndef HAL_TIME_H
#define HAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Monotonic nanoseconds (CLOCK_MONOTONIC where there is a Linux). Context: any. */
uint64_t hal_now_ns(void);

/* Wall clock minus monotonic clock, as Linux sees it now. Context: any. */
int64_t hal_wall_offset_ns(void);

/* Ticks of a counter that is cheap to read, for run times. Context: any. */
uint64_t hal_ticks(void);
uint64_t hal_ticks_to_ns(uint64_t ticks);

/*
 * How long the nucleus's own path from the end of a spin to the first instruction of what it leads
 * to takes at least on this back end (full: a full task): the built-in gravity. 0 where code costs no
 * time. Context: any.
 */
uint32_t hal_gravity_default_ns(bool full);

/* Return at the instant or just after it; the time counts as spun. Returns hal_ticks() at its end.
 * Context: stalled. */
uint64_t hal_spin_until(uint64_t instant_ns);

/* Let the caller compute for this long (sim: virtual time passes). Context: any, not stalled. */
void hal_compute(uint64_t duration_ns);

#endif
