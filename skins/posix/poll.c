/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for files, of which only those for none are served here: they are sleeps. Any other is
 * Linux's, and so is one that would change the signal mask. Source: POSIX.1-2017, poll(), select(),
 * pselect(); ppoll(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/select.h>

#include "clock.h"
#include "masks.h"
#include "real.h"
#include "thread.h"
#include "wait.h"

static int fail(int error)
{
	errno = error;
	return -1;
}

/* As the calls that found nothing in time. */
static int pass_time(uint64_t ns)
{
	return posix_wait_time(tact_in(ns)) ? fail(EINTR) : 0;
}

int poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
	if (!posix_is_task() || count || timeout_ms < 0)
		return posix_real.poll(files, count, timeout_ms);
	return pass_time(TACT_MS((uint64_t)timeout_ms));
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	posix_mask_admit(mask);
	if (!posix_is_task() || count || mask || !timeout || !posix_time_is_valid(timeout))
		return posix_real.ppoll(files, count, timeout, mask);
	return pass_time(posix_ns(timeout));
}

static bool watches(int count, const fd_set *read, const fd_set *write, const fd_set *except)
{
	return count || read || write || except;
}

/* On Linux the time that was not slept is told. */
int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)
{
	uint64_t until_ns, now_ns;
	int result;

	if (!posix_is_task() || !timeout || watches(count, read, write, except) ||
	    timeout->tv_sec < 0 || timeout->tv_usec < 0)
		return posix_real.select(count, read, write, except, timeout);
	until_ns =
		tact_time_add(tact_now(), posix_ns(&(struct timespec){.tv_sec = timeout->tv_sec}) +
						  TACT_US((uint64_t)timeout->tv_usec))
			.ns;
	result = posix_wait_time(tact_at((tact_time_t){until_ns})) ? fail(EINTR) : 0;
	now_ns = tact_now().ns;
	now_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	timeout->tv_sec = (time_t)(now_ns / POSIX_NS_PER_S);
	timeout->tv_usec = (suseconds_t)(now_ns % POSIX_NS_PER_S / 1000);
	return result;
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *except, const struct timespec *timeout,
	    const sigset_t *mask)
{
	posix_mask_admit(mask);
	if (!posix_is_task() || !timeout || mask || watches(count, read, write, except) ||
	    !posix_time_is_valid(timeout))
		return posix_real.pselect(count, read, write, except, timeout, mask);
	return pass_time(posix_ns(timeout));
}
