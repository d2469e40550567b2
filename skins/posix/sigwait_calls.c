/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls that wait for signals: a task's are served, others are Linux's. Source: POSIX.1-2017,
 * sigtimedwait(), sigwaitinfo(), sigwait().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "clock.h"
#include "masks.h"
#include "real.h"
#include "sigwait.h"
#include "timers.h"

/* Is it a wait for a task to do in primary mode? A look alone is Linux's. */
static bool is_served(const sigset_t *set, const struct timespec *duration)
{
	if (!posix_is_task() ||
	    (duration && (!posix_time_is_valid(duration) || !posix_ns(duration))))
		return false;
	return posix_signals_prepare(posix_signal_bits(set));
}

/* It is what the caller blocks of the set that nobody else lets in. */
static uint64_t leave_to_linux(const sigset_t *set)
{
	return posix_startable() ? posix_mask_let_in(posix_signal_bits(set)) : 0;
}

static int wait_in_linux(const sigset_t *set, siginfo_t *info, const struct timespec *duration)
{
	uint64_t left = leave_to_linux(set);
	int result;

	pthread_cleanup_push(posix_mask_admitted, &left);
	result = posix_real.sigtimedwait(set, info, duration);
	pthread_cleanup_pop(1);
	return result;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *duration)
{
	tact_timeout_t until;
	siginfo_t unwanted;
	int result;

	if (!is_served(set, duration))
		return wait_in_linux(set, info, duration);
	pthread_testcancel();
	until = duration ? tact_at(tact_time_add(tact_now(), posix_ns(duration))) : TACT_FOREVER;
	result = posix_signals_wait(set, info ? info : &unwanted, until);
	if (result > 0)
		return result;
	if (result == -ENOMEM)
		return wait_in_linux(set, info, duration);
	errno = -result;
	return -1;
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
	siginfo_t info;
	int result;

	if (!is_served(set, NULL))
		return sigwait_in_linux(set, signal);
	pthread_testcancel();
	do
		result = posix_signals_wait(set, &info, TACT_FOREVER);
	while (result == -EINTR);
	if (result < 0)
		return sigwait_in_linux(set, signal);
	*signal = result;
	return 0;
}
