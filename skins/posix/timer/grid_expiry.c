/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expiries of timers: see grid.h. Source: POSIX.1-2017, timer_settime(), timer_gettime(). */
#define _GNU_SOURCE
#include "posix/timer/grid.h"

#include "posix/libc/clock.h"
#include "posix/timer/grid_instants.h"

#define INTERVAL_LEAST_NS 1000u
#define SPREAD            0x9e3779b97f4a7c15u /* small numbers over all bits */

void posix_grid_begin(struct posix_grid *grid, clockid_t clock)
{
	grid->clock = clock;
	grid->coarse_ns = 0;
	atomic_store_explicit(&grid->next_ns, POSIX_GRID_IN_LINUX, memory_order_release);
	atomic_store_explicit(&grid->interval_ns, 0, memory_order_release);
	atomic_store_explicit(&grid->set_ns, 0, memory_order_release);
}

/* An armed one's next expiry, and its clock. */
struct next {
	clockid_t clock;
	uint64_t instant, ns;
};

static bool look(const struct posix_grid *grid, struct next *next)
{
	next->instant = atomic_load(&grid->next_ns);
	next->clock = posix_grid_clock_of(grid, posix_grid_is_steady(next->instant));
	next->ns = posix_grid_ns_of(next->instant);
	return next->instant && next->instant != POSIX_GRID_IN_LINUX;
}

bool posix_grid_instant(const struct posix_grid *grid, tact_timeout_t *at)
{
	struct timespec time;
	struct next next;

	if (!look(grid, &next))
		return false;
	time = posix_timespec(next.ns);
	*at = posix_instant(next.clock, &time);
	return true;
}

uint64_t posix_grid_due(const struct posix_grid *grid)
{
	struct next next;

	return look(grid, &next) && next.ns <= posix_grid_now_of(next.clock) ? next.instant : 0;
}

/* It is set between two looks that differ. */
uint64_t posix_grid_mark(const struct posix_grid *grid)
{
	uint64_t turns, due, mark;

	do {
		turns = atomic_load(&grid->turns);
		due = posix_grid_due(grid);
	} while (atomic_load(&grid->turns) != turns);
	if (!due)
		return 0;
	mark = due ^ turns * SPREAD;
	return mark ? mark : 1;
}

bool posix_grid_is_late(const struct posix_grid *grid, uint64_t *late_ns)
{
	struct next next;
	uint64_t now_ns;

	if (!look(grid, &next))
		return false;
	now_ns = posix_grid_now_of(next.clock);
	*late_ns = now_ns - next.ns;
	return next.ns <= now_ns;
}

bool posix_grid_accept(struct posix_grid *grid, struct posix_grid_accepted *accepted)
{
	uint64_t interval_ns, after_ns;
	struct next next;

	if (!look(grid, &next))
		return false;
	/* After the instant: if it is set anew meanwhile, that is another one in the end. */
	interval_ns = atomic_load(&grid->interval_ns);
	accepted->first_ns = next.ns;
	accepted->now_ns = posix_grid_now_of(next.clock);
	if (accepted->now_ns < next.ns)
		return false;
	accepted->count = interval_ns ? (accepted->now_ns - next.ns) / interval_ns + 1 : 1;
	after_ns = posix_grid_follow(next.ns, interval_ns, accepted->now_ns);
	return atomic_compare_exchange_strong(&grid->next_ns, &next.instant,
					      posix_grid_instant_of(grid, next.clock, after_ns));
}

bool posix_grid_can(uint64_t interval_ns)
{
	return !interval_ns || interval_ns >= INTERVAL_LEAST_NS;
}

/* Whoever looks finds it in Linux until it is here altogether. */
static void put(struct posix_grid *grid, uint64_t instant, uint64_t interval_ns)
{
	atomic_store(&grid->interval_ns, instant ? interval_ns : 0);
	atomic_fetch_add(&grid->turns, 1);
	atomic_store(&grid->next_ns, instant);
}

void posix_grid_put(struct posix_grid *grid, const struct posix_grid_found *found)
{
	put(grid, posix_grid_instant_of(grid, found->clock, found->next_ns), found->interval_ns);
}

static uint64_t first_of(const struct posix_grid *grid, bool absolute,
			 const struct itimerspec *times)
{
	const clockid_t clock = posix_grid_clock_of(grid, !absolute);
	const uint64_t first_ns = posix_ns(&times->it_value);

	return posix_grid_instant_of(grid, clock,
				     first_ns && !absolute ? first_ns + posix_grid_now_of(clock)
							   : first_ns);
}

void posix_grid_come(struct posix_grid *grid, bool absolute, const struct itimerspec *times)
{
	put(grid, first_of(grid, absolute, times), posix_ns(&times->it_interval));
}

/*
 * Disarmed while the interval changes: who accepts finds the former two or the new ones. Of several
 * who set it at once each begins anew that finds another one's instant before its own, or another
 * one's interval with it, so that the last one leaves its own two; and who gives it back meanwhile
 * has it without these times.
 */
static bool is_mixed(const struct posix_grid *grid, uint64_t first, uint64_t interval_ns,
		     uint64_t *former)
{
	*former = atomic_load(&grid->next_ns);
	return first && *former == first && atomic_load(&grid->interval_ns) != interval_ns;
}

bool posix_grid_set(struct posix_grid *grid, bool absolute, const struct itimerspec *times)
{
	const uint64_t first = first_of(grid, absolute, times);
	const uint64_t interval_ns = first ? posix_ns(&times->it_interval) : 0;
	uint64_t former = atomic_load(&grid->next_ns);

	do {
		do
			if (former == POSIX_GRID_IN_LINUX)
				return false;
		while (!atomic_compare_exchange_weak(&grid->next_ns, &former, 0));
		atomic_store(&grid->interval_ns, interval_ns);
		atomic_fetch_add(&grid->turns, 1);
		former = 0;
	} while (!atomic_compare_exchange_strong(&grid->next_ns, &former, first) ||
		 is_mixed(grid, first, interval_ns, &former));
	return true;
}

bool posix_grid_tell(const struct posix_grid *grid, struct itimerspec *told)
{
	uint64_t interval_ns = atomic_load(&grid->interval_ns);
	uint64_t now_ns, next_ns = 0;
	struct next next;

	if (look(grid, &next)) {
		now_ns = posix_grid_now_of(next.clock);
		next_ns = posix_grid_follow(next.ns, interval_ns, now_ns);
		next_ns -= next_ns ? now_ns : 0;
	}
	told->it_interval = posix_timespec(interval_ns);
	told->it_value = posix_timespec(next_ns);
	return next.instant != POSIX_GRID_IN_LINUX;
}
