/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls of POSIX timers. Linux makes them; a timer that a task sets is here if possible:
 * timer_registry.h. Source: POSIX.1-2017, timer_create(), timer_settime(); timer_create(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>

#include "posix/calls/safe_copy.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/linux_call.h"
#include "posix/state/mask.h"
#include "posix/state/record.h"
#include "posix/thread/lives.h"
#include "posix/timer/interval_timer.h"
#include "posix/timer/timer_registry.h"
#include "posix/timer/timers.h"

#define IN_LINUX (-2)

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id)
{
	int result = posix_real.timer_create(clock, event, id);
	int notify = event ? event->sigev_notify : SIGEV_SIGNAL;
	struct posix_timer *timer;

	if (!result && notify == SIGEV_THREAD)
		posix_life_calls_back();
	if (result || !posix_clock_is_served(clock))
		return result;
	timer = posix_timer_take_place();
	if (!timer)
		return 0;
	timer->id = *id;
	timer->signal = event ? event->sigev_signo : SIGALRM;
	timer->by_thread = notify == SIGEV_THREAD;
	timer->by_interval = false;
	if (notify == SIGEV_NONE || timer->by_thread)
		timer->signal = 0;
	timer->tid = notify == SIGEV_THREAD_ID ? event->_sigev_un._tid : 0;
	timer->value = event ? event->sigev_value : (union sigval){.sival_ptr = *id};
	/* The noted mask may be wrong: a handler or siglongjmp() may have changed it while there
	 * was no timer. */
	if (timer->signal)
		posix_mask_look_later(posix_timer_bit(timer));
	posix_interval_timer_init(&timer->interval_timer, clock);
	atomic_store_explicit(&timer->overruns, 0, memory_order_relaxed);
	posix_timer_begin(timer);
	return 0;
}

int timer_delete(timer_t id)
{
	struct posix_timer *timer = posix_timer_find(id);
	const bool may_move = timer && posix_started();

	if (may_move)
		posix_residency_lock(&posix_timers_domain);
	if (timer) {
		posix_interval_timer_init(&timer->interval_timer, timer->interval_timer.clock);
		posix_timer_end(timer);
	}
	if (may_move)
		posix_residency_unlock(&posix_timers_domain);
	return posix_real.timer_delete(id);
}

/* To be called before it is set here. False: its signal is pending in Linux. */
static bool stop_in_linux(struct posix_timer *timer)
{
	const struct itimerspec none = {0};

	return !atomic_load(&timer->interval_timer.set_ns) ||
	       (!posix_real.timer_settime(timer->id, 0, &none, NULL) &&
		!(timer->signal && posix_signal_is_pending(timer->signal)));
}

/* Set it here, and import it if it is in Linux. */
static bool begin_resident(struct posix_timer *timer, bool absolute, const struct itimerspec *times)
{
	const bool denied = posix_linux_begin();
	bool done;

	posix_timer_move_begin(timer);
	done = posix_interval_timer_set(&timer->interval_timer, absolute, times);
	if (!done && stop_in_linux(timer)) {
		posix_timer_comes(timer);
		posix_interval_timer_import(&timer->interval_timer, absolute, times);
		done = true;
	}
	posix_timer_move_end(timer);
	posix_linux_end(denied);
	return done;
}

/*
 * A task sets it: from now on it is here, and stays here when a Linux thread sets it. False: Linux
 * has to set it.
 */
static bool set_resident(struct posix_timer *timer, bool absolute, const struct itimerspec *times,
			 struct itimerspec *former)
{
	if (!posix_interval_timer_can(posix_ns(&times->it_interval)) ||
	    (timer->by_thread && !posix_timer_threads_ready()))
		return false;
	/* If Linux must be asked for the former times, it can as well do the whole call. */
	if (!posix_timer_can_be_resident(timer) ||
	    (former && !posix_interval_timer_report(&timer->interval_timer, former)))
		return false;
	if (!posix_interval_timer_set(&timer->interval_timer, absolute, times) &&
	    (former || !posix_is_task() || !begin_resident(timer, absolute, times)))
		return false;
	atomic_store(&timer->overruns, 0);
	posix_residency_settle(&timer->residency);
	/* Who waits sleeps until another instant. */
	if (timer->by_thread)
		posix_timer_threads_look();
	else
		(void)posix_wait_wake(&posix_signals, UINT32_MAX);
	return true;
}

/*
 * Linux sets it, and that is noted before: what Linux runs is found by a query, and the note only
 * makes the result more exact if it agrees. Nothing keeps a timer that was never here from being
 * imported at this moment. So the caller checks that afterwards, and then sets it once more.
 */
static int set_in_linux(struct posix_timer *timer, int flags, const struct itimerspec *times,
			struct itimerspec *former)
{
	int result;

	if (!posix_timer_has_moved(timer)) {
		posix_interval_timer_note(&timer->interval_timer, flags & TIMER_ABSTIME, times);
		result = posix_real.timer_settime(timer->id, flags, times, former);
		if ((result && errno != EFAULT) || !posix_timer_has_moved(timer))
			return result;
		former = NULL;
	}
	posix_timer_move_begin(timer);
	posix_timer_export(timer);
	posix_interval_timer_note(&timer->interval_timer, flags & TIMER_ABSTIME, times);
	result = posix_real.timer_settime(timer->id, flags, times, former);
	posix_timer_move_end(timer);
	return result;
}

/* Set a known timer. IN_LINUX: Linux has to set it, and no timer can be imported yet. */
static __attribute__((noinline)) int set_known(struct posix_timer *timer, int flags,
					       const struct itimerspec *given,
					       struct itimerspec *former)
{
	struct itimerspec times, had;

	if (!given || !posix_startable() || !posix_safe_copy(&times, given, sizeof(times)) ||
	    !posix_time_is_valid(&times.it_value) || !posix_time_is_valid(&times.it_interval))
		return IN_LINUX;
	if ((posix_is_task() || posix_timer_is_resident(timer)) &&
	    set_resident(timer, flags & TIMER_ABSTIME, &times, former ? &had : NULL))
		return !former || posix_safe_copy(former, &had, sizeof(had)) ? 0
									     : posix_fail(EFAULT);
	if (posix_started())
		return set_in_linux(timer, flags, &times, former);
	posix_interval_timer_note(&timer->interval_timer, flags & TIMER_ABSTIME, &times);
	return IN_LINUX;
}

/* A call for Linux is a tail call, so that it returns directly to the caller, as in masks.c. */
int timer_settime(timer_t id, int flags, const struct itimerspec *restrict given,
		  struct itimerspec *restrict former)
{
	struct posix_timer *timer = posix_timer_find(id);
	const int result = timer ? set_known(timer, flags, given, former) : IN_LINUX;

	return result == IN_LINUX ? posix_real.timer_settime(id, flags, given, former) : result;
}

int timer_gettime(timer_t id, struct itimerspec *reported)
{
	const struct posix_timer *timer = posix_timer_find(id);
	const uint64_t moves = timer ? atomic_load(&timer->residency.moves) : 0;
	struct itimerspec times;
	bool resident = false;
	int result;

	if (!timer || !reported || !posix_started())
		return posix_real.timer_gettime(id, reported);
	if (posix_interval_timer_report(&timer->interval_timer, &times))
		return posix_safe_copy(reported, &times, sizeof(times)) ? 0 : posix_fail(EFAULT);
	result = posix_real.timer_gettime(id, reported);
	/* A thread that stopped it in Linux meanwhile has counted the move before. */
	if (result || !posix_residency_has_moved(&timer->residency, moves))
		return result;
	posix_residency_lock(&posix_timers_domain);
	resident = posix_interval_timer_report(&timer->interval_timer, &times);
	if (!resident)
		result = posix_real.timer_gettime(id, reported);
	posix_residency_unlock(&posix_timers_domain);
	return !resident || posix_safe_copy(reported, &times, sizeof(times)) ? result
									     : posix_fail(EFAULT);
}

int timer_getoverrun(timer_t id)
{
	const struct posix_timer *timer = posix_timer_find(id);

	if (!timer || !posix_timer_is_resident(timer))
		return posix_real.timer_getoverrun(id);
	return atomic_load(&timer->overruns);
}
