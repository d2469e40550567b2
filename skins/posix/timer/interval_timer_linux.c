/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Import and export of an interval timer: see interval_timer.h. Source: POSIX.1-2017,
 * timer_settime(), timer_gettime().
 */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/timer/interval_timer.h"
#include "posix/timer/interval_timer_instants.h"

#define PAUSE_NS 20000
#define PAUSES   1000u
#define TRIES    3u

/* If several threads set it in Linux at once, the note may differ from what Linux has:
 * posix_interval_timer_find() checks that. */
void posix_interval_timer_note(struct posix_interval_timer *interval_timer, bool absolute,
			       const struct itimerspec *times)
{
	const uint64_t value_ns = posix_ns(&times->it_value);

	atomic_store_explicit(&interval_timer->interval_ns,
			      value_ns ? posix_ns(&times->it_interval) : 0, memory_order_release);
	atomic_store_explicit(&interval_timer->set_ns,
			      value_ns && !absolute ? POSIX_INTERVAL_TIMER_QUERY : value_ns,
			      memory_order_release);
}

/* The noted expiry between these two; 0: none or several. A relative time begins in Linux somewhat
 * later than it was noted, so it is not used. */
static uint64_t noted(const struct posix_interval_timer *interval_timer, uint64_t interval_ns,
		      uint64_t least_ns, uint64_t most_ns)
{
	const uint64_t set_ns = atomic_load(&interval_timer->set_ns);
	uint64_t at_ns;

	if (!set_ns || posix_interval_timer_is_steady(set_ns) ||
	    atomic_load(&interval_timer->interval_ns) != interval_ns ||
	    (interval_ns && interval_ns <= most_ns - least_ns))
		return 0;
	at_ns = posix_interval_timer_follow(set_ns, interval_ns, least_ns - 1);
	return at_ns <= most_ns ? at_ns : 0;
}

bool posix_interval_timer_find(const struct posix_interval_timer *interval_timer,
			       int (*query)(const void *timer, struct itimerspec *left),
			       const void *timer, struct posix_interval_timer_found *found)
{
	uint64_t before_ns, after_ns, left_ns, noted_ns;
	unsigned tries = TRIES;
	const clockid_t clock = posix_interval_timer_clock_of(
		interval_timer,
		posix_interval_timer_is_steady(atomic_load(&interval_timer->set_ns)));
	struct itimerspec left;

	/* A delay between the readings would make the expiry late by the same amount. */
	do {
		before_ns = posix_interval_timer_now_of(clock);
		if (query(timer, &left))
			return false;
		after_ns = posix_interval_timer_now_of(clock);
	} while (after_ns - before_ns > POSIX_CLOCKS_APART_NS && --tries);
	left_ns = posix_ns(&left.it_value);
	*found = (struct posix_interval_timer_found){
		.clock = clock,
		.interval_ns = posix_ns(&left.it_interval),
	};
	if (!left_ns)
		return true;
	found->next_ns = after_ns + left_ns + interval_timer->coarse_ns;
	noted_ns = noted(interval_timer, found->interval_ns, before_ns + left_ns, found->next_ns);
	if (noted_ns)
		found->next_ns = noted_ns;
	else
		found->doubt_ns = after_ns - before_ns + interval_timer->coarse_ns;
	return true;
}

void posix_interval_timer_skip(struct posix_interval_timer_found *found)
{
	if (found->next_ns)
		found->next_ns = posix_interval_timer_follow(
			found->next_ns, found->interval_ns,
			posix_interval_timer_now_of(found->clock) + found->doubt_ns);
}

/*
 * A relative time makes Linux use the monotonic clock, as a steady timer must. But Linux would then
 * not count the expiries that are already due: so these are exported as an absolute time of the
 * other clock, which Linux follows from there on.
 */
static void give_steady(const struct posix_interval_timer *interval_timer, uint64_t next_ns,
			struct posix_interval_timer_exported *given)
{
	const uint64_t now_ns = posix_interval_timer_now_of(CLOCK_MONOTONIC);

	given->is_due = next_ns <= now_ns;
	given->flags = given->is_due ? TIMER_ABSTIME : 0;
	given->times.it_value =
		posix_timespec(given->is_due ? posix_interval_timer_now_of(interval_timer->clock) -
						       (now_ns - next_ns)
					     : next_ns - now_ns);
}

bool posix_interval_timer_export(struct posix_interval_timer *interval_timer,
				 struct posix_interval_timer_exported *given)
{
	const uint64_t next =
		atomic_exchange(&interval_timer->next_ns, POSIX_INTERVAL_TIMER_IN_LINUX);

	if (next == POSIX_INTERVAL_TIMER_IN_LINUX)
		return false;
	*given = (struct posix_interval_timer_exported){
		.times.it_interval = posix_timespec(atomic_load(&interval_timer->interval_ns)),
		.times.it_value = posix_timespec(posix_interval_timer_ns_of(next)),
		.flags = TIMER_ABSTIME,
	};
	if (posix_interval_timer_is_steady(next))
		give_steady(interval_timer, posix_interval_timer_ns_of(next), given);
	else
		given->is_due = next && next <= posix_interval_timer_now_of(interval_timer->clock);
	atomic_store(&interval_timer->set_ns,
		     !given->flags ? POSIX_INTERVAL_TIMER_QUERY : posix_ns(&given->times.it_value));
	return next;
}

/* By syscall(), which is no cancellation point. */
void posix_interval_timer_await(const struct posix_interval_timer_exported *given,
				bool (*has_come)(const void *timer), const void *timer)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	for (uint32_t i = 0; given->is_due && i < PAUSES && !has_come(timer); i++)
		(void)posix_real.syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}
