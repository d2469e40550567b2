/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expiries of timers: see grid.h. Source: POSIX.1-2017, timer_settime(), timer_gettime(). */
#define _GNU_SOURCE
#include "grid.h"

#include <sys/syscall.h>

#include "clock.h"
#include "real.h"

#define INTERVAL_LEAST_NS 1000u
#define PAUSE_NS          20000
#define PAUSES            1000u
#define TRIES             3u
#define SPREAD            0x9e3779b97f4a7c15u /* small numbers over all bits */

void posix_grid_begin(struct posix_grid *grid, clockid_t clock)
{
	grid->clock = clock;
	grid->coarse_ns = 0;
	atomic_store_explicit(&grid->next_ns, POSIX_GRID_IN_LINUX, memory_order_release);
	atomic_store_explicit(&grid->interval_ns, 0, memory_order_release);
	atomic_store_explicit(&grid->set_ns, 0, memory_order_release);
}

static uint64_t now_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return posix_ns(&now);
}

/* By which clock an instant of the grid's is one, or a time from now on begins. */
static clockid_t clock_of(const struct posix_grid *grid, bool steady)
{
	return steady ? CLOCK_MONOTONIC : grid->clock;
}

static bool is_steady(uint64_t instant)
{
	return instant & POSIX_GRID_STEADY;
}

static uint64_t ns_of(uint64_t instant)
{
	return instant & ~POSIX_GRID_STEADY;
}

static uint64_t instant_of(const struct posix_grid *grid, clockid_t clock, uint64_t ns)
{
	return ns && clock != grid->clock ? ns | POSIX_GRID_STEADY : ns;
}

/* The first expiry after now. */
static uint64_t follow(uint64_t first_ns, uint64_t interval_ns, uint64_t now_ns)
{
	if (now_ns < first_ns)
		return first_ns;
	return interval_ns ? first_ns + ((now_ns - first_ns) / interval_ns + 1) * interval_ns : 0;
}

/* An armed one's next expiry, and its clock. */
struct next {
	clockid_t clock;
	uint64_t instant, ns;
};

static bool look(const struct posix_grid *grid, struct next *next)
{
	next->instant = atomic_load(&grid->next_ns);
	next->clock = clock_of(grid, is_steady(next->instant));
	next->ns = ns_of(next->instant);
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

	return look(grid, &next) && next.ns <= now_of(next.clock) ? next.instant : 0;
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
	now_ns = now_of(next.clock);
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
	accepted->now_ns = now_of(next.clock);
	if (accepted->now_ns < next.ns)
		return false;
	accepted->count = interval_ns ? (accepted->now_ns - next.ns) / interval_ns + 1 : 1;
	after_ns = follow(next.ns, interval_ns, accepted->now_ns);
	return atomic_compare_exchange_strong(&grid->next_ns, &next.instant,
					      instant_of(grid, next.clock, after_ns));
}

/* Of several who tell Linux at once nobody knows whose word was last: posix_grid_find() does. */
void posix_grid_note(struct posix_grid *grid, bool absolute, const struct itimerspec *times)
{
	const uint64_t value_ns = posix_ns(&times->it_value);

	atomic_store_explicit(&grid->interval_ns, value_ns ? posix_ns(&times->it_interval) : 0,
			      memory_order_release);
	atomic_store_explicit(&grid->set_ns, value_ns && !absolute ? POSIX_GRID_ASK : value_ns,
			      memory_order_release);
}

/* Its expiry between these two, 0: none or several. One that was told as a time from then on begins
 * somewhat later than was noted, if that. */
static uint64_t noted(const struct posix_grid *grid, uint64_t interval_ns, uint64_t least_ns,
		      uint64_t most_ns)
{
	const uint64_t set_ns = atomic_load(&grid->set_ns);
	uint64_t at_ns;

	if (!set_ns || is_steady(set_ns) || atomic_load(&grid->interval_ns) != interval_ns ||
	    (interval_ns && interval_ns <= most_ns - least_ns))
		return 0;
	at_ns = follow(set_ns, interval_ns, least_ns - 1);
	return at_ns <= most_ns ? at_ns : 0;
}

bool posix_grid_find(const struct posix_grid *grid,
		     int (*ask)(const void *timer, struct itimerspec *left), const void *timer,
		     struct posix_grid_found *found)
{
	uint64_t before_ns, after_ns, left_ns, noted_ns;
	unsigned tries = TRIES;
	const clockid_t clock = clock_of(grid, is_steady(atomic_load(&grid->set_ns)));
	struct itimerspec left;

	/* Delayed between the looks, it would be late by as much. */
	do {
		before_ns = now_of(clock);
		if (ask(timer, &left))
			return false;
		after_ns = now_of(clock);
	} while (after_ns - before_ns > POSIX_CLOCKS_APART_NS && --tries);
	left_ns = posix_ns(&left.it_value);
	*found = (struct posix_grid_found){
		.clock = clock,
		.interval_ns = posix_ns(&left.it_interval),
	};
	if (!left_ns)
		return true;
	found->next_ns = after_ns + left_ns + grid->coarse_ns;
	noted_ns = noted(grid, found->interval_ns, before_ns + left_ns, found->next_ns);
	if (noted_ns)
		found->next_ns = noted_ns;
	else
		found->doubt_ns = after_ns - before_ns + grid->coarse_ns;
	return true;
}

void posix_grid_skip(struct posix_grid_found *found)
{
	if (found->next_ns)
		found->next_ns = follow(found->next_ns, found->interval_ns,
					now_of(found->clock) + found->doubt_ns);
}

bool posix_grid_can(uint64_t interval_ns)
{
	return !interval_ns || interval_ns >= INTERVAL_LEAST_NS;
}

/* Disarmed while the interval changes: who accepts finds the former two or the new ones. */
static void put(struct posix_grid *grid, uint64_t instant, uint64_t interval_ns)
{
	atomic_store(&grid->next_ns, 0);
	atomic_store(&grid->set_ns, 0);
	atomic_store(&grid->interval_ns, instant ? interval_ns : 0);
	atomic_fetch_add(&grid->turns, 1);
	atomic_store(&grid->next_ns, instant);
}

void posix_grid_set(struct posix_grid *grid, bool absolute, const struct itimerspec *times)
{
	const clockid_t clock = clock_of(grid, !absolute);
	uint64_t first_ns = posix_ns(&times->it_value);

	if (first_ns && !absolute)
		first_ns += now_of(clock);
	put(grid, instant_of(grid, clock, first_ns), posix_ns(&times->it_interval));
}

void posix_grid_put(struct posix_grid *grid, const struct posix_grid_found *found)
{
	put(grid, instant_of(grid, found->clock, found->next_ns), found->interval_ns);
}

void posix_grid_tell(const struct posix_grid *grid, struct itimerspec *told)
{
	uint64_t interval_ns = atomic_load(&grid->interval_ns);
	uint64_t now_ns, next_ns = 0;
	struct next next;

	if (look(grid, &next)) {
		now_ns = now_of(next.clock);
		next_ns = follow(next.ns, interval_ns, now_ns);
		next_ns -= next_ns ? now_ns : 0;
	}
	told->it_interval = posix_timespec(interval_ns);
	told->it_value = posix_timespec(next_ns);
}

/*
 * What is steady Linux runs by the monotonic clock if it is told what is left. But of what is due
 * already it then would not count how often: that it gets by the other clock, which it follows from
 * there on.
 */
static void give_steady(const struct posix_grid *grid, uint64_t next_ns,
			struct posix_grid_given *given)
{
	const uint64_t now_ns = now_of(CLOCK_MONOTONIC);

	given->is_due = next_ns <= now_ns;
	given->flags = given->is_due ? TIMER_ABSTIME : 0;
	given->times.it_value = posix_timespec(
		given->is_due ? now_of(grid->clock) - (now_ns - next_ns) : next_ns - now_ns);
}

bool posix_grid_give_back(struct posix_grid *grid, struct posix_grid_given *given)
{
	const uint64_t next = atomic_exchange(&grid->next_ns, POSIX_GRID_IN_LINUX);

	if (next == POSIX_GRID_IN_LINUX)
		return false;
	*given = (struct posix_grid_given){
		.times.it_interval = posix_timespec(atomic_load(&grid->interval_ns)),
		.times.it_value = posix_timespec(ns_of(next)),
		.flags = TIMER_ABSTIME,
	};
	if (is_steady(next))
		give_steady(grid, ns_of(next), given);
	else
		given->is_due = next && next <= now_of(grid->clock);
	atomic_store(&grid->set_ns,
		     !given->flags ? POSIX_GRID_ASK : posix_ns(&given->times.it_value));
	return next;
}

/* By no cancellation point. */
void posix_grid_await(const struct posix_grid_given *given, bool (*has_come)(const void *timer),
		      const void *timer)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	for (uint32_t i = 0; given->is_due && i < PAUSES && !has_come(timer); i++)
		(void)posix_real.syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}
