/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program's interval timer of real time, as a timer that may be here (timer_registry.h) from
 * the first time that a task sets it. Linux's timer counts in microseconds, and its pending signal
 * remains pending when it is set again. Source: POSIX.1-2017, alarm(), setitimer(); setitimer(2),
 * ualarm(3).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

#include "posix/calls/safe_copy.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/linux_call.h"
#include "posix/state/mask.h"
#include "posix/state/record.h"
#include "posix/state/vfork_child.h"
#include "posix/timer/interval_timer.h"
#include "posix/timer/timers.h"
#include "posix/timer/timer_registry.h"

#define US_NS 1000
#define S_US  1000000

static struct itimerspec precise(const struct itimerval *times)
{
	return (struct itimerspec){
		{times->it_interval.tv_sec, times->it_interval.tv_usec * US_NS},
		{times->it_value.tv_sec, times->it_value.tv_usec * US_NS},
	};
}

static struct itimerval coarse(const struct itimerspec *times)
{
	return (struct itimerval){
		{times->it_interval.tv_sec, times->it_interval.tv_nsec / US_NS},
		{times->it_value.tv_sec, times->it_value.tv_nsec / US_NS},
	};
}

int posix_itimer_query(struct itimerspec *left)
{
	struct itimerval reported;

	if (posix_real.getitimer(ITIMER_REAL, &reported))
		return -1;
	*left = precise(&reported);
	return 0;
}

/* Rounded up, by less than a microsecond. An expiry that is already due comes after one
 * microsecond. */
int posix_itimer_set_in_linux(const struct itimerspec *times)
{
	const uint64_t at_ns = posix_ns(&times->it_value);
	struct itimerval reported = {{0, 0}, {0, 0}};
	struct itimerspec left = *times;

	if (at_ns) {
		const uint64_t now_ns = tact_now().ns;

		left.it_value = posix_timespec((at_ns > now_ns ? at_ns - now_ns : 1) + US_NS - 1);
		reported = coarse(&left);
	}
	return posix_real.setitimer(ITIMER_REAL, &reported, NULL);
}

/* Linux reports 0 for less than a microsecond: after a microsecond it has expired. */
bool posix_itimer_has_expired(void)
{
	const uint64_t begun_ns = tact_now().ns;
	struct itimerspec left;

	if (posix_itimer_query(&left) || posix_signal_is_pending(SIGALRM))
		return true;
	while (!posix_ns(&left.it_value) && tact_now().ns <= begun_ns + US_NS)
		;
	return !posix_ns(&left.it_value);
}

/* Two tasks may call this at once. NULL: there is no place. */
static struct posix_timer *make(void)
{
	struct posix_timer *timer = posix_timer_take_place(), *nobody = NULL;
	bool denied;

	if (!timer)
		return NULL;
	denied = posix_linux_begin();
	posix_mask_look();
	posix_linux_end(denied);
	timer->signal = SIGALRM;
	timer->by_thread = false;
	timer->by_interval = true;
	timer->tid = 0;
	posix_interval_timer_init(&timer->interval_timer, CLOCK_MONOTONIC);
	timer->interval_timer.coarse_ns = US_NS;
	/* It may have been set before an exec of this program. */
	atomic_store(&timer->interval_timer.set_ns, POSIX_INTERVAL_TIMER_QUERY);
	posix_timer_begin(timer);
	if (atomic_compare_exchange_strong(&posix_itimer, &nobody, timer))
		return timer;
	posix_timer_end(timer);
	return nobody;
}

/* NULL: it is in Linux, as that of a vfork's child. */
static struct posix_timer *known(void)
{
	struct posix_timer *timer = posix_is_vfork_child() ? NULL : atomic_load(&posix_itimer);

	return timer || !posix_is_task() ? timer : make();
}

/* While its signal is pending, it has no next expiry. False: Linux has to report it. */
static bool report(const struct posix_timer *timer, struct itimerval *reported)
{
	struct itimerspec left;

	if (!posix_interval_timer_report(&timer->interval_timer, &left))
		return false;
	if (posix_interval_timer_is_due(&timer->interval_timer))
		left.it_value = posix_timespec(0);
	*reported = coarse(&left);
	return true;
}

static void set_in_linux(struct posix_timer *timer, const struct itimerval *times,
			 struct itimerval *former)
{
	const struct itimerspec wanted = precise(times);

	posix_timer_move_begin(timer);
	posix_timer_export(timer);
	(void)posix_real.setitimer(ITIMER_REAL, times, former);
	posix_interval_timer_note(&timer->interval_timer, false, &wanted);
	posix_timer_move_end(timer);
}

/* Move it here from Linux. False: its signal is pending in Linux, and so it was set there. */
static bool take_over(struct posix_timer *timer, const struct itimerval *times,
		      struct itimerval *former)
{
	const struct itimerval none = {{0, 0}, {0, 0}};
	const struct itimerspec wanted = precise(times);
	const bool denied = posix_linux_begin();
	bool taken;

	posix_timer_move_begin(timer);
	posix_timer_export(timer);
	taken = !posix_real.setitimer(ITIMER_REAL, &none, former) &&
		!posix_signal_is_pending(SIGALRM);
	if (taken) {
		posix_timer_comes(timer);
		posix_interval_timer_import(&timer->interval_timer, false, &wanted);
	} else {
		(void)posix_real.setitimer(ITIMER_REAL, times, NULL);
		posix_interval_timer_note(&timer->interval_timer, false, &wanted);
	}
	posix_timer_move_end(timer);
	posix_linux_end(denied);
	return taken;
}

/* The times are valid. If an expiry is due, Linux has to keep its signal pending. */
static void set(struct posix_timer *timer, const struct itimerval *times, struct itimerval *former)
{
	const struct itimerspec wanted = precise(times);
	const bool is_task = posix_is_task();

	if ((!is_task && !posix_timer_is_resident(timer)) || !posix_timer_can_be_resident(timer) ||
	    posix_interval_timer_is_due(&timer->interval_timer)) {
		set_in_linux(timer, times, former);
		return;
	}
	if (!report(timer, former) ||
	    !posix_interval_timer_set(&timer->interval_timer, false, &wanted)) {
		if (!is_task)
			set_in_linux(timer, times, former);
		if (!is_task || !take_over(timer, times, former))
			return;
	}
	posix_residency_settle(&timer->residency);
	/* Tasks that wait must sleep until another instant. */
	(void)posix_wait_wake(&posix_signals, UINT32_MAX);
}

static bool is_valid(const struct timeval *time)
{
	return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < S_US;
}

int setitimer(__itimer_which_t which, const struct itimerval *given, struct itimerval *former)
{
	struct itimerval times, had;
	struct posix_timer *timer;

	if (which != ITIMER_REAL || !given || !posix_startable() || !(timer = known()) ||
	    !posix_safe_copy(&times, given, sizeof(times)) || !is_valid(&times.it_value) ||
	    !is_valid(&times.it_interval))
		return posix_real.setitimer(which, given, former);
	set(timer, &times, &had);
	return !former || posix_safe_copy(former, &had, sizeof(had)) ? 0 : posix_fail(EFAULT);
}

int getitimer(__itimer_which_t which, struct itimerval *reported)
{
	const struct posix_timer *timer =
		posix_is_vfork_child() ? NULL : atomic_load(&posix_itimer);
	struct itimerval times;
	int result = 0;
	bool resident;

	if (which != ITIMER_REAL || !reported || !timer)
		return posix_real.getitimer(which, reported);
	resident = report(timer, &times);
	if (!resident) {
		posix_residency_lock(&posix_timers_domain);
		resident = report(timer, &times);
		result = resident ? 0 : posix_real.getitimer(which, reported);
		posix_residency_unlock(&posix_timers_domain);
	}
	return !resident || posix_safe_copy(reported, &times, sizeof(times)) ? result
									     : posix_fail(EFAULT);
}

/* As Linux, the nearest second, but at least one if time is left. */
unsigned alarm(unsigned seconds)
{
	const struct itimerval times = {.it_value = {.tv_sec = seconds}};
	struct posix_timer *timer = known();
	struct itimerval had;

	if (!timer)
		return posix_real.alarm(seconds);
	set(timer, &times, &had);
	return (unsigned)had.it_value.tv_sec +
	       (had.it_value.tv_usec >= S_US / 2 || (!had.it_value.tv_sec && had.it_value.tv_usec));
}

useconds_t ualarm(useconds_t value, useconds_t interval)
{
	const struct itimerval times = {
		.it_value = {.tv_usec = value},
		.it_interval = {.tv_usec = interval},
	};
	struct posix_timer *timer = known();
	struct itimerval had;

	/* The versions of the C library differ for a second and more. */
	if (value >= S_US || interval >= S_US)
		posix_itimer_pass_exec();
	if (!timer || value >= S_US || interval >= S_US)
		return posix_real.ualarm(value, interval);
	set(timer, &times, &had);
	return (useconds_t)(had.it_value.tv_sec * S_US + had.it_value.tv_usec);
}

void posix_itimer_pass_exec(void)
{
	struct posix_timer *timer = atomic_load(&posix_itimer);

	if (timer && !posix_is_vfork_child())
		posix_residency_export(&timer->residency);
}
