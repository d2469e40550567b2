/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sleeps. The nucleus serves the sleep of a task, in primary mode, except on clocks that only Linux
 * has. Source: POSIX.1-2017, clock_nanosleep(), nanosleep(), sleep().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/lateness.h"
#include "posix/state/options.h"
#include "posix/state/record.h"

/* 0, EINTR or EFAULT. left: receives what remained of the duration, or NULL. */
static int sleep_for(uint64_t ns, struct timespec *left)
{
	tact_time_t until = tact_time_add(tact_now(), ns);
	struct timespec rest;
	uint64_t now;

	if (!posix_wait_time(tact_at(until)))
		return 0;
	if (left) {
		now = tact_now().ns;
		rest = posix_timespec(until.ns > now ? until.ns - now : 0);
		if (!posix_safe_copy(left, &rest, sizeof(rest)))
			return EFAULT;
	}
	return EINTR;
}

/* The summary reports only these: a duration has no instant that could be missed. */
static int sleep_until(tact_timeout_t until)
{
	if (posix_summary_wanted && until.ns < tact_now().ns)
		posix_me.late.overruns++;
	if (posix_wait_time(until))
		return EINTR;
	if (posix_summary_wanted)
		posix_summary_slept(until.ns, tact_now().ns);
	return 0;
}

static int clock_nanosleep_in_linux(clockid_t clock, int flags, const struct timespec *given,
				    struct timespec *left)
{
	const long arguments[6] = {clock, flags, (long)given, (long)left};

	return posix_call_tried_in_call(SYS_clock_nanosleep, arguments) == POSIX_CALL_GOES_ON
		       ? posix_real.clock_nanosleep(clock, flags, given, left)
		       : EINTR;
}

static int nanosleep_in_linux(const struct timespec *given, struct timespec *left)
{
	const long arguments[6] = {(long)given, (long)left};

	return posix_call_tried_in_call(SYS_nanosleep, arguments) == POSIX_CALL_GOES_ON
		       ? posix_real.nanosleep(given, left)
		       : posix_fail(EINTR);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *given, struct timespec *left)
{
	struct timespec time;

	if (!posix_call_is_tasks_wait() || !posix_clock_is_served(clock) ||
	    !posix_safe_copy(&time, given, sizeof(time)))
		return clock_nanosleep_in_linux(clock, flags, given, left);
	if (!posix_time_is_valid(&time))
		return EINVAL;
	if (!(flags & TIMER_ABSTIME))
		return sleep_for(posix_ns(&time), left);
	return sleep_until(posix_instant(clock, &time));
}

int nanosleep(const struct timespec *given, struct timespec *left)
{
	struct timespec time;
	int error;

	if (!posix_call_is_tasks_wait() || !posix_safe_copy(&time, given, sizeof(time)))
		return nanosleep_in_linux(given, left);
	error = posix_time_is_valid(&time) ? sleep_for(posix_ns(&time), left) : EINVAL;
	return error ? posix_fail(error) : 0;
}

int usleep(useconds_t duration_us)
{
	if (!posix_call_is_tasks_wait())
		return posix_call_is_interrupted() && duration_us ? posix_fail(EINTR)
								  : posix_real.usleep(duration_us);
	return sleep_for(TACT_US(duration_us), NULL) ? posix_fail(EINTR) : 0;
}

unsigned sleep(unsigned seconds)
{
	struct timespec left;

	if (!posix_call_is_tasks_wait())
		return posix_call_is_interrupted() && seconds ? seconds - 1
							      : posix_real.sleep(seconds);
	if (!sleep_for(TACT_S(seconds), &left))
		return 0;
	return (unsigned)left.tv_sec;
}
