/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Expiries of timers that are here. A task that waits for a timer's signal sleeps until the instant
 * of the expiry: no timer of Linux runs. If no task waits, the expiry is pending, which follows
 * from the clock. Source: POSIX.1-2017, 2.4, timer_getoverrun().
 */
#define _GNU_SOURCE
#include <string.h>

#include "posix/state/lateness.h"
#include "posix/state/mask.h"
#include "posix/state/options.h"
#include "posix/timer/interval_timer.h"
#include "posix/timer/timers.h"
#include "posix/timer/timer_registry.h"

/*
 * Move it here from Linux, unless its signal is pending there. A signal that came between the query
 * and the stop may still be pending. Since Linux 6.13 no thread gets it, because the stop has made
 * it void. So Linux gets the timer back as it was, and sends the signal; before 6.13 it then counts
 * an overrun. The signal of ITIMER_REAL is never void.
 */
bool posix_timer_import(struct posix_residency *residency)
{
	struct posix_timer *timer = (struct posix_timer *)residency;
	const struct itimerspec none = {0};
	struct posix_interval_timer_found found;
	bool sent;

	if (!posix_interval_timer_find(&timer->interval_timer, posix_timer_query, timer, &found) ||
	    !found.next_ns || posix_signal_is_pending(timer->signal) ||
	    posix_timer_set_in_linux(timer, 0, &none))
		return false;
	sent = posix_signal_is_pending(timer->signal);
	if (sent && timer->by_interval)
		posix_interval_timer_skip(&found);
	posix_timer_comes(timer);
	posix_interval_timer_put(&timer->interval_timer, &found);
	if (!sent || timer->by_interval)
		return true;
	posix_timer_export(timer);
	return false;
}

void posix_timers_prepare(uint64_t bits)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		struct posix_timer *timer = &posix_timers[i];

		/* A timer that does not run may stay in Linux until it is set. */
		if (posix_timer_is_there(timer) && !posix_timer_is_resident(timer) &&
		    posix_timer_is_mine(timer, bits) && atomic_load(&timer->interval_timer.set_ns))
			(void)posix_residency_import(&timer->residency);
	}
}

tact_timeout_t posix_timer_next(uint64_t bits)
{
	tact_timeout_t next = TACT_FOREVER;

	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		tact_timeout_t at;

		if (!posix_timer_is_resident(&posix_timers[i]) ||
		    !posix_timer_is_mine(&posix_timers[i], bits) ||
		    !posix_interval_timer_instant(&posix_timers[i].interval_timer, &at))
			continue;
		if (next.kind == TACT_TIMEOUT_FOREVER || at.ns < next.ns)
			next = at;
	}
	return next;
}

/* If several tasks wait for it, or it is set meanwhile, only one gets this expiry. */
static bool accept_expiry(struct posix_timer *timer, siginfo_t *info)
{
	struct posix_interval_timer_accepted accepted;

	if (!posix_interval_timer_accept(&timer->interval_timer, &accepted))
		return false;
	atomic_store(&timer->overruns, posix_timer_overruns(accepted.count));
	if (posix_summary_wanted)
		posix_summary_slept(accepted.first_ns, accepted.now_ns);
	memset(info, 0, sizeof(*info));
	info->si_signo = timer->signal;
	if (timer->by_interval) {
		info->si_code = SI_KERNEL;
		return true;
	}
	info->si_code = SI_TIMER;
	info->si_timerid = (int)(intptr_t)timer->id;
	info->si_overrun = posix_timer_overruns(accepted.count);
	info->si_value = timer->value;
	return true;
}

/* The due timer with the lowest signal, and of these the earliest, as POSIX requires. */
static struct posix_timer *first_due(uint64_t bits)
{
	struct posix_timer *first = NULL;
	uint64_t most_ns = 0;

	if (!(bits & atomic_load_explicit(&posix_timer_signals, memory_order_relaxed)))
		return NULL;
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		struct posix_timer *timer = &posix_timers[i];
		uint64_t late_ns;

		if (!posix_timer_is_resident(timer) || !posix_timer_is_mine(timer, bits) ||
		    !posix_interval_timer_is_late(&timer->interval_timer, &late_ns))
			continue;
		if (!first || timer->signal < first->signal ||
		    (timer->signal == first->signal && late_ns > most_ns)) {
			first = timer;
			most_ns = late_ns;
		}
	}
	return first;
}

int posix_timer_due(uint64_t bits)
{
	const struct posix_timer *first = first_due(bits);

	return first ? first->signal : 0;
}

int posix_timer_take(uint64_t bits, siginfo_t *info)
{
	struct posix_timer *first;

	while ((first = first_due(bits)))
		if (accept_expiry(first, info))
			return first->signal;
	return 0;
}
