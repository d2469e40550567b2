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

void posix_grid_begin(struct posix_grid *grid, clockid_t clock)
{
	grid->clock = clock;
	grid->coarse_ns = 0;
	atomic_store_explicit(&grid->next_ns, POSIX_GRID_IN_LINUX, memory_order_release);
	atomic_store_explicit(&grid->interval_ns, 0, memory_order_release);
	atomic_store_explicit(&grid->set_ns, 0, memory_order_release);
}

uint64_t posix_grid_now(const struct posix_grid *grid)
{
	struct timespec now;

	clock_gettime(grid->clock, &now);
	return posix_ns(&now);
}

/* The first expiry after now. */
static uint64_t follow(uint64_t first_ns, uint64_t interval_ns, uint64_t now_ns)
{
	if (now_ns < first_ns)
		return first_ns;
	return interval_ns ? first_ns + ((now_ns - first_ns) / interval_ns + 1) * interval_ns : 0;
}

static bool next(const struct posix_grid *grid, uint64_t *next_ns)
{
	*next_ns = atomic_load(&grid->next_ns);
	return *next_ns && *next_ns != POSIX_GRID_IN_LINUX;
}

bool posix_grid_instant(const struct posix_grid *grid, tact_timeout_t *at)
{
	struct timespec time;
	uint64_t next_ns;

	if (!next(grid, &next_ns))
		return false;
	time = posix_timespec(next_ns);
	*at = posix_instant(grid->clock, &time);
	return true;
}

uint64_t posix_grid_due(const struct posix_grid *grid)
{
	uint64_t next_ns;

	return next(grid, &next_ns) && next_ns <= posix_grid_now(grid) ? next_ns : 0;
}

bool posix_grid_is_due(const struct posix_grid *grid)
{
	return posix_grid_due(grid);
}

bool posix_grid_accept(struct posix_grid *grid, uint64_t *count, uint64_t *first_ns)
{
	uint64_t next_ns, now_ns, interval_ns;

	if (!next(grid, &next_ns))
		return false;
	/* After the instant: if it is set anew meanwhile, that is another one in the end. */
	interval_ns = atomic_load(&grid->interval_ns);
	now_ns = posix_grid_now(grid);
	if (now_ns < next_ns)
		return false;
	*first_ns = next_ns;
	*count = interval_ns ? (now_ns - next_ns) / interval_ns + 1 : 1;
	return atomic_compare_exchange_strong(&grid->next_ns, &next_ns,
					      follow(next_ns, interval_ns, now_ns));
}

static uint64_t first_of(const struct posix_grid *grid, bool absolute,
			 const struct itimerspec *times)
{
	uint64_t value_ns = posix_ns(&times->it_value);

	return value_ns && !absolute ? value_ns + posix_grid_now(grid) : value_ns;
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

/* Its expiry between these two, 0: none or several. */
static uint64_t noted(const struct posix_grid *grid, uint64_t interval_ns, uint64_t least_ns,
		      uint64_t most_ns)
{
	const uint64_t set_ns = atomic_load(&grid->set_ns);
	uint64_t at_ns;

	if (!set_ns || set_ns == POSIX_GRID_ASK || atomic_load(&grid->interval_ns) != interval_ns ||
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
	struct itimerspec left;

	/* Delayed between the looks, it would be late by as much. */
	do {
		before_ns = posix_grid_now(grid);
		if (ask(timer, &left))
			return false;
		after_ns = posix_grid_now(grid);
	} while (after_ns - before_ns > POSIX_CLOCKS_APART_NS && --tries);
	left_ns = posix_ns(&left.it_value);
	*found = (struct posix_grid_found){.interval_ns = posix_ns(&left.it_interval)};
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

uint64_t posix_grid_after(const struct posix_grid_found *found, uint64_t now_ns)
{
	return found->next_ns ? follow(found->next_ns, found->interval_ns, now_ns + found->doubt_ns)
			      : 0;
}

bool posix_grid_can(const struct itimerspec *times)
{
	uint64_t interval_ns = posix_ns(&times->it_interval);

	return !interval_ns || interval_ns >= INTERVAL_LEAST_NS;
}

void posix_grid_set(struct posix_grid *grid, bool absolute, const struct itimerspec *times)
{
	uint64_t first_ns = first_of(grid, absolute, times);

	/* Disarmed while the interval changes: who accepts finds the former two or the new ones. */
	atomic_store(&grid->next_ns, 0);
	atomic_store(&grid->set_ns, 0);
	atomic_store(&grid->interval_ns, first_ns ? posix_ns(&times->it_interval) : 0);
	atomic_store(&grid->next_ns, first_ns);
}

void posix_grid_tell(const struct posix_grid *grid, struct itimerspec *told)
{
	uint64_t interval_ns = atomic_load(&grid->interval_ns);
	uint64_t now_ns = posix_grid_now(grid);
	uint64_t next_ns;

	if (!next(grid, &next_ns) || !(next_ns = follow(next_ns, interval_ns, now_ns)))
		next_ns = now_ns;
	told->it_interval = posix_timespec(interval_ns);
	told->it_value = posix_timespec(next_ns - now_ns);
}

bool posix_grid_give_back(struct posix_grid *grid, struct itimerspec *times)
{
	uint64_t next_ns = atomic_exchange(&grid->next_ns, POSIX_GRID_IN_LINUX);

	if (next_ns == POSIX_GRID_IN_LINUX)
		return false;
	atomic_store(&grid->set_ns, next_ns);
	times->it_interval = posix_timespec(atomic_load(&grid->interval_ns));
	times->it_value = posix_timespec(next_ns);
	return next_ns;
}

/* By no cancellation point. */
void posix_grid_await(const struct posix_grid *grid, const struct itimerspec *times,
		      bool (*has_come)(const void *timer), const void *timer)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	if (posix_ns(&times->it_value) > posix_grid_now(grid))
		return;
	for (uint32_t i = 0; i < PAUSES && !has_come(timer); i++)
		(void)posix_real.syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}
