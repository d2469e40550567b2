/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An interval timer: the expiries of a timer that Linux made. Those that were not accepted yet are
 * not stored, but follow from the current time. It is resident here, or in Linux, never in both.
 */
#ifndef POSIX_INTERVAL_TIMER_H
#define POSIX_INTERVAL_TIMER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <tactus/tact.h>

#define POSIX_INTERVAL_TIMER_IN_LINUX UINT64_MAX
#define POSIX_INTERVAL_TIMER_QUERY    UINT64_MAX /* it was told a time from then on */
/* With an instant: it is one of the monotonic clock, as in Linux where a timer of CLOCK_REALTIME
 * was set to a time from then on, which does not follow when that clock is set. */
#define POSIX_INTERVAL_TIMER_STEADY (1ull << 63)

struct posix_interval_timer {
	clockid_t clock;
	uint64_t coarse_ns;       /* Linux tells what is left so much too short, at most */
	_Atomic uint64_t next_ns; /* the first expiry not accepted, 0: disarmed; or IN_LINUX */
	_Atomic uint64_t interval_ns;
	_Atomic uint64_t set_ns;     /* the first expiry as Linux was told, 0: disarmed; or ASK */
	_Atomic uint64_t generation; /* how often it was set here */
};

/* A timer that Linux has just made. */
void posix_interval_timer_init(struct posix_interval_timer *interval_timer, clockid_t clock);
static inline bool posix_interval_timer_is_resident(
	const struct posix_interval_timer *interval_timer)
{
	return atomic_load(&interval_timer->next_ns) != POSIX_INTERVAL_TIMER_IN_LINUX;
}

/* The next expiry. False: there is none here. */
bool posix_interval_timer_instant(const struct posix_interval_timer *interval_timer,
				  tact_timeout_t *at);
/* The first that is due, with STEADY; 0: none. */
uint64_t posix_interval_timer_due(const struct posix_interval_timer *interval_timer);
/* A number of that, another one for each that comes, whatever it is set to; 0: none is due. */
uint64_t posix_interval_timer_sequence(const struct posix_interval_timer *interval_timer);
/* Is one due, and since when? */
bool posix_interval_timer_is_late(const struct posix_interval_timer *interval_timer,
				  uint64_t *late_ns);
static inline bool posix_interval_timer_is_due(const struct posix_interval_timer *interval_timer)
{
	return posix_interval_timer_due(interval_timer);
}
/*
 * Accept what is due: how many, by one caller only; which came first, and when that was seen, by
 * the same clock. False: nothing is, or another one has it.
 */
struct posix_interval_timer_accepted {
	uint64_t count, first_ns, now_ns;
};
bool posix_interval_timer_accept(struct posix_interval_timer *interval_timer,
				 struct posix_interval_timer_accepted *accepted);

/* What Linux was told. Cost: two stores, for plain threads. */
void posix_interval_timer_note(struct posix_interval_timer *interval_timer, bool absolute,
			       const struct itimerspec *times);
/*
 * What it runs, as it tells itself (ask: as timer_gettime()): the next expiry by this clock, 0:
 * none, and the interval. It is exact where what was noted agrees, and else at most doubt_ns later
 * than Linux's. False: it does not tell.
 */
struct posix_interval_timer_found {
	clockid_t clock;
	uint64_t next_ns, interval_ns, doubt_ns;
};
bool posix_interval_timer_find(const struct posix_interval_timer *interval_timer,
			       int (*query)(const void *timer, struct itimerspec *left),
			       const void *timer, struct posix_interval_timer_found *found);
/* Those up to now have come. */
void posix_interval_timer_skip(struct posix_interval_timer_found *found);
/* Linux has stopped it: from now on it is here, as it was found; or with these times. */
void posix_interval_timer_put(struct posix_interval_timer *interval_timer,
			      const struct posix_interval_timer_found *found);
void posix_interval_timer_import(struct posix_interval_timer *interval_timer, bool absolute,
				 const struct itimerspec *times);
/* Set here. can: as finely as asked for. False: it is in Linux, or was given back meanwhile, and
 * then not as it was to be. */
bool posix_interval_timer_can(uint64_t interval_ns);
bool posix_interval_timer_set(struct posix_interval_timer *interval_timer, bool absolute,
			      const struct itimerspec *times);
/* What timer_gettime() tells. False: Linux does. */
bool posix_interval_timer_report(const struct posix_interval_timer *interval_timer,
				 struct itimerspec *reported);
/*
 * Given back: what Linux has to be told, and how: TIMER_ABSTIME (as TFD_TIMER_ABSTIME), or 0, and
 * whether it is due. False: nothing.
 */
struct posix_interval_timer_exported {
	struct itimerspec times;
	int flags;
	bool is_due;
};
bool posix_interval_timer_export(struct posix_interval_timer *interval_timer,
				 struct posix_interval_timer_exported *given);
/*
 * After Linux was told: what was due already it brings about by an interrupt, a moment later. The
 * caller is about to ask for that; has_come: did it? Not waited for without a bound.
 */
void posix_interval_timer_await(const struct posix_interval_timer_exported *given,
				bool (*has_come)(const void *timer), const void *timer);

#endif
