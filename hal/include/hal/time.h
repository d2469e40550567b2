/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 2: time. One monotonic clock in nanoseconds for everything, the same on every
 * CPU; a cheaper tick counter for accounting only.
 */
#ifndef HAL_TIME_H
#define HAL_TIME_H

#include <stdint.h>

/* Monotonic nanoseconds (CLOCK_MONOTONIC where there is a Linux). Context: any. */
uint64_t hal_now_ns(void);

/* Wall clock minus monotonic clock, as Linux sees it now. Context: any. */
int64_t hal_wall_offset_ns(void);

/* Ticks of a counter that is cheap to read, for run times. Context: any. */
uint64_t hal_ticks(void);
uint64_t hal_ticks_to_ns(uint64_t ticks);

/* Return at the instant or just after it; the time counts as spun. Context: stalled. */
void hal_spin_until(uint64_t instant_ns);

/* Let the caller compute for this long (sim: virtual time passes). Context: any, not stalled. */
void hal_compute(uint64_t duration_ns);

#endif
