/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The instants of a grid: what lies in its words, by which clock. For grid_expiry.c and
 * grid_linux.c. */
#ifndef POSIX_GRID_INSTANTS_H
#define POSIX_GRID_INSTANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "posix/libc/clock.h"
#include "posix/timer/grid.h"

static inline uint64_t posix_grid_now_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return posix_ns(&now);
}

/* By which clock an instant of the grid's is one, or a time from now on begins. */
static inline clockid_t posix_grid_clock_of(const struct posix_grid *grid, bool steady)
{
	return steady ? CLOCK_MONOTONIC : grid->clock;
}

static inline bool posix_grid_is_steady(uint64_t instant)
{
	return instant & POSIX_GRID_STEADY;
}

static inline uint64_t posix_grid_ns_of(uint64_t instant)
{
	return instant & ~POSIX_GRID_STEADY;
}

static inline uint64_t posix_grid_instant_of(const struct posix_grid *grid, clockid_t clock,
					     uint64_t ns)
{
	return ns && clock != grid->clock ? ns | POSIX_GRID_STEADY : ns;
}

/* The first expiry after now. */
static inline uint64_t posix_grid_follow(uint64_t first_ns, uint64_t interval_ns, uint64_t now_ns)
{
	if (now_ns < first_ns)
		return first_ns;
	return interval_ns ? first_ns + ((now_ns - first_ns) / interval_ns + 1) * interval_ns : 0;
}

#endif
