/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The expiries of a timer that Linux made, as a grid of instants: those that were not accepted yet
 * lie in the clock. It is here, or in Linux, never in both.
 */
#ifndef POSIX_GRID_H
#define POSIX_GRID_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <tactus/tact.h>

#define POSIX_GRID_IN_LINUX UINT64_MAX
#define POSIX_GRID_ASK      UINT64_MAX /* it was told a time from then on */
/* With an instant: it is one of the monotonic clock, as in Linux where a timer of CLOCK_REALTIME
 * was set to a time from then on, which does not follow when that clock is set. */
#define POSIX_GRID_STEADY (1ull << 63)

struct posix_grid {
	clockid_t clock;
	uint64_t coarse_ns;       /* Linux tells what is left so much too short, at most */
	_Atomic uint64_t next_ns; /* the first expiry not accepted, 0: disarmed; or IN_LINUX */
	_Atomic uint64_t interval_ns;
	_Atomic uint64_t set_ns; /* the first expiry as Linux was told, 0: disarmed; or ASK */
	_Atomic uint64_t turns;  /* how often it was set here */
};

/* A timer that Linux has just made. */
void posix_grid_begin(struct posix_grid *grid, clockid_t clock);
static inline bool posix_grid_is_here(const struct posix_grid *grid)
{
	return atomic_load(&grid->next_ns) != POSIX_GRID_IN_LINUX;
}

/* The next expiry. False: there is none here. */
bool posix_grid_instant(const struct posix_grid *grid, tact_timeout_t *at);
/* The first that is due, with STEADY; 0: none. */
uint64_t posix_grid_due(const struct posix_grid *grid);
/* A number of that, another one for each that comes, whatever it is set to; 0: none is due. */
uint64_t posix_grid_mark(const struct posix_grid *grid);
/* Is one due, and since when? */
bool posix_grid_is_late(const struct posix_grid *grid, uint64_t *late_ns);
static inline bool posix_grid_is_due(const struct posix_grid *grid)
{
	return posix_grid_due(grid);
}
/*
 * Accept what is due: how many, by one caller only; which came first, and when that was seen, by
 * the same clock. False: nothing is, or another one has it.
 */
struct posix_grid_accepted {
	uint64_t count, first_ns, now_ns;
};
bool posix_grid_accept(struct posix_grid *grid, struct posix_grid_accepted *accepted);

/* What Linux was told. Cost: two stores, for plain threads. */
void posix_grid_note(struct posix_grid *grid, bool absolute, const struct itimerspec *times);
/*
 * What it runs, as it tells itself (ask: as timer_gettime()): the next expiry by this clock, 0:
 * none, and the interval. It is exact where what was noted agrees, and else at most doubt_ns later
 * than Linux's. False: it does not tell.
 */
struct posix_grid_found {
	clockid_t clock;
	uint64_t next_ns, interval_ns, doubt_ns;
};
bool posix_grid_find(const struct posix_grid *grid,
		     int (*ask)(const void *timer, struct itimerspec *left), const void *timer,
		     struct posix_grid_found *found);
/* Those up to now have come. */
void posix_grid_skip(struct posix_grid_found *found);
/* Linux has stopped it: from now on it is here, as it was found; or with these times. */
void posix_grid_put(struct posix_grid *grid, const struct posix_grid_found *found);
void posix_grid_come(struct posix_grid *grid, bool absolute, const struct itimerspec *times);
/* Set here. can: as finely as asked for. False: it is in Linux, or was given back meanwhile, and
 * then not as it was to be. */
bool posix_grid_can(uint64_t interval_ns);
bool posix_grid_set(struct posix_grid *grid, bool absolute, const struct itimerspec *times);
/* What timer_gettime() tells. False: Linux does. */
bool posix_grid_tell(const struct posix_grid *grid, struct itimerspec *told);
/*
 * Given back: what Linux has to be told, and how: TIMER_ABSTIME (as TFD_TIMER_ABSTIME), or 0, and
 * whether it is due. False: nothing.
 */
struct posix_grid_given {
	struct itimerspec times;
	int flags;
	bool is_due;
};
bool posix_grid_give_back(struct posix_grid *grid, struct posix_grid_given *given);
/*
 * After Linux was told: what was due already it brings about by an interrupt, a moment later. The
 * caller is about to ask for that; has_come: did it? Not waited for without a bound.
 */
void posix_grid_await(const struct posix_grid_given *given, bool (*has_come)(const void *timer),
		      const void *timer);

#endif
