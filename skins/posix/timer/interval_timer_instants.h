/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The instants of an interval timer: the content of its words, and their clocks. For
 * interval_timer_expiry.c and interval_timer_linux.c. */
#ifndef POSIX_INTERVAL_TIMER_INSTANTS_H
#define POSIX_INTERVAL_TIMER_INSTANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "posix/libc/clock.h"
#include "posix/timer/interval_timer.h"

static inline uint64_t posix_interval_timer_now_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return posix_ns(&now);
}

/* The clock of an instant of the interval timer, or of the begin of a relative time. */
static inline clockid_t posix_interval_timer_clock_of(
	const struct posix_interval_timer *interval_timer, bool steady)
{
	return steady ? CLOCK_MONOTONIC : interval_timer->clock;
}

static inline bool posix_interval_timer_is_steady(uint64_t instant)
{
	return instant & POSIX_INTERVAL_TIMER_STEADY;
}

static inline uint64_t posix_interval_timer_ns_of(uint64_t instant)
{
	return instant & ~POSIX_INTERVAL_TIMER_STEADY;
}

static inline uint64_t posix_interval_timer_instant_of(
	const struct posix_interval_timer *interval_timer, clockid_t clock, uint64_t ns)
{
	return ns && clock != interval_timer->clock ? ns | POSIX_INTERVAL_TIMER_STEADY : ns;
}

/* The first expiry after now. */
static inline uint64_t posix_interval_timer_follow(uint64_t first_ns, uint64_t interval_ns,
						   uint64_t now_ns)
{
	if (now_ns < first_ns)
		return first_ns;
	return interval_ns ? first_ns + ((now_ns - first_ns) / interval_ns + 1) * interval_ns : 0;
}

#endif
