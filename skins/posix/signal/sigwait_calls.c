/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls that wait for signals. Those of a task are served; all others are made in Linux.
 * Source: POSIX.1-2017, sigtimedwait(), sigwaitinfo(), sigwait().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/signal/masks.h"
#include "posix/signal/sigwait.h"
#include "posix/state/half.h"

/* A wait as it was requested. */
struct wait {
	uint64_t bits;
	bool has_end;
	struct timespec duration;
};

/* Can a task do it in primary mode? A call without a wait, or with an invalid address, is made in
 * Linux. */
static bool is_served(const sigset_t *set, const struct timespec *duration, struct wait *wait)
{
	if (!posix_call_is_tasks_wait() || !posix_signals_named(set, &wait->bits))
		return false;
	wait->has_end = duration;
	if (duration && (!posix_safe_copy(&wait->duration, duration, sizeof(*duration)) ||
			 !posix_time_is_valid(&wait->duration) || !posix_ns(&wait->duration)))
		return false;
	return posix_signals_prepare(wait->bits);
}

/* For the signals of the set that the caller blocks. */
static uint64_t leave_to_linux(const sigset_t *set)
{
	uint64_t bits;

	if (!posix_startable() || !posix_signals_named(set, &bits))
		return 0;
	return posix_mask_let_in(bits);
}

static int wait_in_linux(const sigset_t *set, siginfo_t *info, const struct timespec *duration)
{
	const long arguments[6] = {(long)set, (long)info, (long)duration, sizeof(uint64_t)};
	uint64_t left = leave_to_linux(set);
	long tried;
	int result;

	pthread_cleanup_push(posix_mask_admitted, &left);
	tried = posix_call_tried_in_call(SYS_rt_sigtimedwait, arguments);
	if (tried == POSIX_CALL_GOES_ON)
		result = posix_real.sigtimedwait(set, info, duration);
	else
		result = (int)posix_call_return(tried);
	pthread_cleanup_pop(1);
	return result;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *duration)
{
	tact_timeout_t until;
	siginfo_t accepted;
	struct wait wait;
	int result;

	if (!is_served(set, duration, &wait))
		return wait_in_linux(set, info, duration);
	pthread_testcancel();
	until = wait.has_end ? tact_at(tact_time_add(tact_now(), posix_ns(&wait.duration)))
			     : TACT_FOREVER;
	result = posix_signals_wait(wait.bits, &accepted, until);
	if (result == -ENOMEM)
		return wait_in_linux(set, info, duration);
	if (result < 0)
		return posix_fail(-result);
	/* As in Linux, the signal is then lost. */
	return !info || posix_safe_copy(info, &accepted, sizeof(accepted)) ? result
									   : posix_fail(EFAULT);
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return sigtimedwait(set, info, NULL);
}

static int sigwait_in_linux(const sigset_t *set, int *signal)
{
	uint64_t left = leave_to_linux(set);
	int result;

	pthread_cleanup_push(posix_mask_admitted, &left);
	result = posix_real.sigwait(set, signal);
	pthread_cleanup_pop(1);
	return result;
}

int sigwait(const sigset_t *set, int *signal)
{
	struct wait wait;
	siginfo_t info;
	int result;

	if (!is_served(set, NULL, &wait))
		return sigwait_in_linux(set, signal);
	pthread_testcancel();
	do
		result = posix_signals_wait(wait.bits, &info, TACT_FOREVER);
	while (result == -EINTR);
	if (result < 0)
		return sigwait_in_linux(set, signal);
	*signal = result;
	return 0;
}
