/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An interval timer: the expiries of a timer that Linux made. The expiries that were not accepted
 * yet are not stored: they follow from the current time. The timer is resident here or is in Linux,
 * never both.
 */
#ifndef POSIX_INTERVAL_TIMER_H
#define POSIX_INTERVAL_TIMER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <tactus/tact.h>

#define POSIX_INTERVAL_TIMER_IN_LINUX UINT64_MAX
#define POSIX_INTERVAL_TIMER_QUERY    UINT64_MAX /* Linux was given a relative time */
/*
 * Flag of an instant: it is one of the monotonic clock. Linux, too, counts the relative time of a
 * CLOCK_REALTIME timer by the monotonic clock, so that it does not change when that clock is set.
 */
#define POSIX_INTERVAL_TIMER_STEADY (1ull << 63)

struct posix_interval_timer {
	clockid_t clock;
	uint64_t coarse_ns; /* by how much Linux may report the time left too short */
	/* the first expiry that is not accepted; 0: disarmed; or IN_LINUX */
	_Atomic uint64_t next_ns;
	_Atomic uint64_t interval_ns;
	/* the first expiry that Linux was given; 0: disarmed; or QUERY */
	_Atomic uint64_t set_ns;
	_Atomic uint64_t generation; /* how often it was set here */
};

/* A timer that Linux has just made. */
void posix_interval_timer_init(struct posix_interval_timer *interval_timer, clockid_t clock);
static inline bool posix_interval_timer_is_resident(
	const struct posix_interval_timer *interval_timer)
{
	return atomic_load(&interval_timer->next_ns) != POSIX_INTERVAL_TIMER_IN_LINUX;
}

/* The next expiry. False: the timer has none here. */
bool posix_interval_timer_instant(const struct posix_interval_timer *interval_timer,
				  tact_timeout_t *at);
/* The first expiry that is due, with the flag STEADY; 0: none. */
uint64_t posix_interval_timer_due(const struct posix_interval_timer *interval_timer);
/* A number of the first expiry that is due, different for each expiry, even if the timer is set
 * again; 0: none is due. */
uint64_t posix_interval_timer_sequence(const struct posix_interval_timer *interval_timer);
/* Is an expiry due, and since when? */
bool posix_interval_timer_is_late(const struct posix_interval_timer *interval_timer,
				  uint64_t *late_ns);
static inline bool posix_interval_timer_is_due(const struct posix_interval_timer *interval_timer)
{
	return posix_interval_timer_due(interval_timer);
}
/*
 * Accept the expiries that are due: their number, the first one, and the time at which this was
 * seen, by the same clock. Only one caller gets them. False: none is due, or another caller has
 * them.
 */
struct posix_interval_timer_accepted {
	uint64_t count, first_ns, now_ns;
};
bool posix_interval_timer_accept(struct posix_interval_timer *interval_timer,
				 struct posix_interval_timer_accepted *accepted);

/* Note what Linux was given. Cost: two stores, for plain threads. */
void posix_interval_timer_note(struct posix_interval_timer *interval_timer, bool absolute,
			       const struct itimerspec *times);
/*
 * What Linux runs, as Linux reports it (query: as timer_gettime()): the next expiry by this clock
 * (0: none) and the interval. next_ns is exact if it agrees with what was noted; otherwise it is at
 * most doubt_ns later than Linux's expiry. False: Linux does not report it.
 */
struct posix_interval_timer_found {
	clockid_t clock;
	uint64_t next_ns, interval_ns, doubt_ns;
};
bool posix_interval_timer_find(const struct posix_interval_timer *interval_timer,
			       int (*query)(const void *timer, struct itimerspec *left),
			       const void *timer, struct posix_interval_timer_found *found);
/* Skip the expiries up to now: they have come. */
void posix_interval_timer_skip(struct posix_interval_timer_found *found);
/* Linux has stopped it. From now on it is here, with what was found or with these times. */
void posix_interval_timer_put(struct posix_interval_timer *interval_timer,
			      const struct posix_interval_timer_found *found);
void posix_interval_timer_import(struct posix_interval_timer *interval_timer, bool absolute,
				 const struct itimerspec *times);
/* Set it here. can: is such an interval possible here? False: it is in Linux, or was exported
 * meanwhile without these times. */
bool posix_interval_timer_can(uint64_t interval_ns);
bool posix_interval_timer_set(struct posix_interval_timer *interval_timer, bool absolute,
			      const struct itimerspec *times);
/* What timer_gettime() reports. False: Linux has to report it. */
bool posix_interval_timer_report(const struct posix_interval_timer *interval_timer,
				 struct itimerspec *reported);
/*
 * Export it: the times for Linux, the flags (TIMER_ABSTIME, which is TFD_TIMER_ABSTIME, or 0), and
 * whether an expiry is due. False: it has nothing for Linux.
 */
struct posix_interval_timer_exported {
	struct itimerspec times;
	int flags;
	bool is_due;
};
bool posix_interval_timer_export(struct posix_interval_timer *interval_timer,
				 struct posix_interval_timer_exported *given);
/*
 * To be called after an export. Linux makes an expiry that was already due happen by an interrupt,
 * a moment later; this waits for it, because the caller will look for it. has_come: has it
 * happened? The wait has a limit.
 */
void posix_interval_timer_await(const struct posix_interval_timer_exported *given,
				bool (*has_come)(const void *timer), const void *timer);

#endif
