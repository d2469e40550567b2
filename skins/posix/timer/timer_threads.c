/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers by SIGEV_THREAD that are here. A Linux thread calls their function: a thread of this
 * library waits in the nucleus for the next expiry, and then makes Linux's own timer expire at
 * once, so that the C library calls the function as usual. Source: POSIX.1-2017, 2.4.1.
 */
#define _GNU_SOURCE
#include <time.h>

#include "posix/libc/real.h"
#include "posix/thread/helper.h"
#include "posix/timer/interval_timer.h"
#include "posix/timer/timers.h"
#include "posix/timer/timer_registry.h"

static void *expire(void *unused);

static struct posix_helper expiries = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .most = 1, .entry = expire};

static bool concerns(const struct posix_timer *timer)
{
	return timer->by_thread && posix_timer_is_resident(timer);
}

static tact_timeout_t next_expiry(void)
{
	tact_timeout_t next = TACT_FOREVER;

	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		tact_timeout_t at;

		if (!concerns(&posix_timers[i]) ||
		    !posix_interval_timer_instant(&posix_timers[i].interval_timer, &at))
			continue;
		if (next.kind == TACT_TIMEOUT_FOREVER || at.ns < next.ns)
			next = at;
	}
	return next;
}

/* Only this thread sets Linux's timers of resident ones. */
static void expire_due(void)
{
	const struct itimerspec past = {.it_value = {.tv_nsec = 1}};

	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		struct posix_timer *timer = &posix_timers[i];
		struct posix_interval_timer_accepted accepted;

		if (!concerns(timer) || !posix_interval_timer_is_due(&timer->interval_timer))
			continue;
		posix_residency_lock(&posix_timers_domain);
		if (concerns(timer) &&
		    posix_interval_timer_accept(&timer->interval_timer, &accepted)) {
			atomic_store(&timer->overruns, posix_timer_overruns(accepted.count));
			(void)posix_real.timer_settime(timer->id, TIMER_ABSTIME, &past, NULL);
		}
		posix_residency_unlock(&posix_timers_domain);
	}
}

static void *expire(void *unused)
{
	int result;

	(void)unused;
	do {
		expire_due();
		result = tact_sem_wait(expiries.sem, next_expiry());
	} while (!result || result == -TACT_ETIMEDOUT);
	return NULL;
}

bool posix_timer_threads_ready(void)
{
	return posix_helper(&expiries).id;
}

void posix_timer_threads_look(void)
{
	(void)tact_sem_post(expiries.sem);
}
