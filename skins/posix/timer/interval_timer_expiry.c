/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expiries of timers: see interval_timer.h. Source: POSIX.1-2017, timer_settime(), timer_gettime().
 */
#define _GNU_SOURCE
#include "posix/timer/interval_timer.h"

#include "posix/libc/clock.h"
#include "posix/timer/interval_timer_instants.h"

#define INTERVAL_LEAST_NS 1000u
#define SPREAD            0x9e3779b97f4a7c15u /* spreads small numbers over all bits */

void posix_interval_timer_init(struct posix_interval_timer *interval_timer, clockid_t clock)
{
	interval_timer->clock = clock;
	interval_timer->coarse_ns = 0;
	atomic_store_explicit(&interval_timer->next_ns, POSIX_INTERVAL_TIMER_IN_LINUX,
			      memory_order_release);
	atomic_store_explicit(&interval_timer->interval_ns, 0, memory_order_release);
	atomic_store_explicit(&interval_timer->set_ns, 0, memory_order_release);
}

/* The next expiry of an armed timer, and its clock. */
struct next {
	clockid_t clock;
	uint64_t instant, ns;
};

static bool next_expiry(const struct posix_interval_timer *interval_timer, struct next *next)
{
	next->instant = atomic_load(&interval_timer->next_ns);
	next->clock = posix_interval_timer_clock_of(interval_timer,
						    posix_interval_timer_is_steady(next->instant));
	next->ns = posix_interval_timer_ns_of(next->instant);
	return next->instant && next->instant != POSIX_INTERVAL_TIMER_IN_LINUX;
}

bool posix_interval_timer_instant(const struct posix_interval_timer *interval_timer,
				  tact_timeout_t *at)
{
	struct timespec time;
	struct next next;

	if (!next_expiry(interval_timer, &next))
		return false;
	time = posix_timespec(next.ns);
	*at = posix_instant(next.clock, &time);
	return true;
}

uint64_t posix_interval_timer_due(const struct posix_interval_timer *interval_timer)
{
	struct next next;

	return next_expiry(interval_timer, &next) &&
			       next.ns <= posix_interval_timer_now_of(next.clock)
		       ? next.instant
		       : 0;
}

/* If two readings differ, it was set between them. */
uint64_t posix_interval_timer_sequence(const struct posix_interval_timer *interval_timer)
{
	uint64_t generation, due, sequence;

	do {
		generation = atomic_load(&interval_timer->generation);
		due = posix_interval_timer_due(interval_timer);
	} while (atomic_load(&interval_timer->generation) != generation);
	if (!due)
		return 0;
	sequence = due ^ generation * SPREAD;
	return sequence ? sequence : 1;
}

bool posix_interval_timer_is_late(const struct posix_interval_timer *interval_timer,
				  uint64_t *late_ns)
{
	struct next next;
	uint64_t now_ns;

	if (!next_expiry(interval_timer, &next))
		return false;
	now_ns = posix_interval_timer_now_of(next.clock);
	*late_ns = now_ns - next.ns;
	return next.ns <= now_ns;
}

bool posix_interval_timer_accept(struct posix_interval_timer *interval_timer,
				 struct posix_interval_timer_accepted *accepted)
{
	uint64_t interval_ns, after_ns;
	struct next next;

	if (!next_expiry(interval_timer, &next))
		return false;
	/* Read after the instant: if the timer is set meanwhile, the instant will differ at the
	 * end. */
	interval_ns = atomic_load(&interval_timer->interval_ns);
	accepted->first_ns = next.ns;
	accepted->now_ns = posix_interval_timer_now_of(next.clock);
	if (accepted->now_ns < next.ns)
		return false;
	accepted->count = interval_ns ? (accepted->now_ns - next.ns) / interval_ns + 1 : 1;
	after_ns = posix_interval_timer_follow(next.ns, interval_ns, accepted->now_ns);
	return atomic_compare_exchange_strong(
		&interval_timer->next_ns, &next.instant,
		posix_interval_timer_instant_of(interval_timer, next.clock, after_ns));
}

bool posix_interval_timer_can(uint64_t interval_ns)
{
	return !interval_ns || interval_ns >= INTERVAL_LEAST_NS;
}

/* It counts as in Linux until all its fields are here. */
static void put(struct posix_interval_timer *interval_timer, uint64_t instant, uint64_t interval_ns)
{
	atomic_store(&interval_timer->interval_ns, instant ? interval_ns : 0);
	atomic_fetch_add(&interval_timer->generation, 1);
	atomic_store(&interval_timer->next_ns, instant);
}

void posix_interval_timer_put(struct posix_interval_timer *interval_timer,
			      const struct posix_interval_timer_found *found)
{
	put(interval_timer,
	    posix_interval_timer_instant_of(interval_timer, found->clock, found->next_ns),
	    found->interval_ns);
}

static uint64_t first_of(const struct posix_interval_timer *interval_timer, bool absolute,
			 const struct itimerspec *times)
{
	const clockid_t clock = posix_interval_timer_clock_of(interval_timer, !absolute);
	const uint64_t first_ns = posix_ns(&times->it_value);

	return posix_interval_timer_instant_of(
		interval_timer, clock,
		first_ns && !absolute ? first_ns + posix_interval_timer_now_of(clock) : first_ns);
}

void posix_interval_timer_import(struct posix_interval_timer *interval_timer, bool absolute,
				 const struct itimerspec *times)
{
	put(interval_timer, first_of(interval_timer, absolute, times),
	    posix_ns(&times->it_interval));
}

/*
 * The timer is disarmed while the interval changes: so a caller that accepts finds the former
 * instant and interval, or the new ones. If several callers set it at once, a caller begins again
 * when it finds another one's instant before its own, or another one's interval beside its instant.
 * So the last one leaves both of its values. An export in between exports the timer without these
 * times.
 */
static bool is_mixed(const struct posix_interval_timer *interval_timer, uint64_t first,
		     uint64_t interval_ns, uint64_t *former)
{
	*former = atomic_load(&interval_timer->next_ns);
	return first && *former == first &&
	       atomic_load(&interval_timer->interval_ns) != interval_ns;
}

bool posix_interval_timer_set(struct posix_interval_timer *interval_timer, bool absolute,
			      const struct itimerspec *times)
{
	const uint64_t first = first_of(interval_timer, absolute, times);
	const uint64_t interval_ns = first ? posix_ns(&times->it_interval) : 0;
	uint64_t former = atomic_load(&interval_timer->next_ns);

	do {
		do
			if (former == POSIX_INTERVAL_TIMER_IN_LINUX)
				return false;
		while (!atomic_compare_exchange_weak(&interval_timer->next_ns, &former, 0));
		atomic_store(&interval_timer->interval_ns, interval_ns);
		atomic_fetch_add(&interval_timer->generation, 1);
		former = 0;
	} while (!atomic_compare_exchange_strong(&interval_timer->next_ns, &former, first) ||
		 is_mixed(interval_timer, first, interval_ns, &former));
	return true;
}

bool posix_interval_timer_report(const struct posix_interval_timer *interval_timer,
				 struct itimerspec *reported)
{
	uint64_t interval_ns = atomic_load(&interval_timer->interval_ns);
	uint64_t now_ns, next_ns = 0;
	struct next next;

	if (next_expiry(interval_timer, &next)) {
		now_ns = posix_interval_timer_now_of(next.clock);
		next_ns = posix_interval_timer_follow(next.ns, interval_ns, now_ns);
		next_ns -= next_ns ? now_ns : 0;
	}
	reported->it_interval = posix_timespec(interval_ns);
	reported->it_value = posix_timespec(next_ns);
	return next.instant != POSIX_INTERVAL_TIMER_IN_LINUX;
}
