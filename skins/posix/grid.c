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
#define ALWAYS            UINT64_MAX

void posix_grid_begin(struct posix_grid *grid, clockid_t clock)
{
	grid->clock = clock;
	atomic_store_explicit(&grid->next_ns, POSIX_GRID_IN_LINUX, memory_order_release);
	atomic_store_explicit(&grid->interval_ns, 0, memory_order_release);
	atomic_store_explicit(&grid->set_ns, 0, memory_order_release);
	atomic_store_explicit(&grid->doubt_ns, 0, memory_order_release);
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

void posix_grid_note(struct posix_grid *grid, bool absolute, const struct itimerspec *times,
		     uint64_t begun_ns)
{
	uint64_t first_ns = first_of(grid, absolute, times);

	/* Read by who finds that nobody is in Linux for it any more. */
	atomic_store_explicit(&grid->doubt_ns, absolute ? 0 : posix_grid_now(grid) - begun_ns,
			      memory_order_release);
	atomic_store_explicit(&grid->interval_ns, first_ns ? posix_ns(&times->it_interval) : 0,
			      memory_order_release);
	atomic_store_explicit(&grid->set_ns, first_ns, memory_order_release);
}

uint64_t posix_grid_noted(const struct posix_grid *grid, uint64_t now_ns)
{
	return follow(atomic_load(&grid->set_ns), atomic_load(&grid->interval_ns), now_ns);
}

bool posix_grid_is_doubtful(const struct posix_grid *grid, uint64_t now_ns)
{
	const uint64_t doubt_ns = atomic_load(&grid->doubt_ns);
	uint64_t next_ns = posix_grid_noted(grid, now_ns);

	return doubt_ns == ALWAYS || (next_ns && now_ns + doubt_ns >= next_ns);
}

void posix_grid_doubt(struct posix_grid *grid)
{
	atomic_store(&grid->doubt_ns, ALWAYS);
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
	atomic_store(&grid->doubt_ns, 0);
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
