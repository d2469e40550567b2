/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for files. A task's for none is a sleep, and one for descriptors that are all here
 * (files.h) is served; any other is Linux's, and so is one that would change the signal mask.
 * Source: POSIX.1-2017, poll(), select(), pselect(); ppoll(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/signal/masks.h"
#include "posix/state/half.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"

/* As the calls that found nothing in time. */
static int pass_time(uint64_t ns)
{
	return posix_wait_time(tact_in(ns)) ? posix_fail(EINTR) : 0;
}

/* What was found of each, and nothing else: others may change the rest meanwhile. */
static int report(struct pollfd *files, const struct pollfd *found, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (!posix_safe_copy(&files[i].revents, &found[i].revents,
				     sizeof(found[i].revents)))
			return posix_fail(EFAULT);
	return 0;
}

static int await(struct pollfd *files, nfds_t count, tact_timeout_t timeout)
{
	struct pollfd found[POSIX_FILES_MOST];
	int result;

	if (count > POSIX_FILES_MOST || !posix_safe_copy(found, files, count * sizeof(*files)))
		return POSIX_IN_LINUX;
	result = posix_files_await(found, count, timeout);
	return result >= 0 && report(files, found, count) ? -1 : result;
}

/* By a task: POSIX_IN_LINUX if it is not served. */
static int wait_local(struct pollfd *files, nfds_t count, const struct timespec *timeout)
{
	if (count)
		return await(files, count, timeout ? tact_in(posix_ns(timeout)) : TACT_FOREVER);
	return timeout ? pass_time(posix_ns(timeout)) : POSIX_IN_LINUX;
}

/* Linux refuses a count that the program can have no descriptors for, without a look at them. */
static bool is_refused(nfds_t count)
{
	struct rlimit limit;

	return count > FD_SETSIZE && (getrlimit(RLIMIT_NOFILE, &limit) || count > limit.rlim_cur);
}

static void enter(struct posix_files_entered *entered, const struct pollfd *files, nfds_t count)
{
	int fd;

	entered->count = 0;
	if (!posix_files_are_known() || !posix_startable() || is_refused(count))
		return;
	for (nfds_t i = 0; i < count && posix_safe_copy(&fd, &files[i].fd, sizeof(fd)); i++)
		posix_files_enter(entered, fd);
}

/* Is one of them known? Of too many one may be. */
static __attribute__((noinline)) bool has_known(const struct pollfd *files, nfds_t count)
{
	int fd;

	if (count > FD_SETSIZE)
		return true;
	for (nfds_t i = 0; i < count && posix_safe_copy(&fd, &files[i].fd, sizeof(fd)); i++)
		if (posix_file_to_notify(fd))
			return true;
	return false;
}

/* To sleep, or for a timer: who stays in Linux comes back for these, and not for other files. */
static __attribute__((noinline)) void break_stay(struct pollfd *files, nfds_t count)
{
	int fd;

	if (!count)
		posix_stay_waits();
	for (nfds_t i = 0; i < count && count <= FD_SETSIZE && files &&
			   posix_safe_copy(&fd, &files[i].fd, sizeof(fd));
	     i++)
		if (posix_file_is(posix_file_to_notify(fd), &posix_timerfd)) {
			posix_stay_waits();
			return;
		}
}

static inline void look_at_stay(struct pollfd *files, nfds_t count, bool waits)
{
	if (__builtin_expect(posix_stay_lasts(), 0) && waits)
		break_stay(files, count);
}

/* What is Linux's alone returns from there to the caller by itself, as in masks.c. */
static bool is_linuxs(const struct pollfd *files, nfds_t count)
{
	return !posix_call_is_tasks() && (!posix_files_are_known() || !has_known(files, count));
}

static int poll_in_linux(struct pollfd *files, nfds_t count, int timeout_ms)
{
	const long arguments[6] = {(long)files, (long)count, timeout_ms};
	const long tried = posix_call_tried_in_call(SYS_poll, arguments);

	return tried == POSIX_CALL_GOES_ON ? posix_real.poll(files, count, timeout_ms)
					   : (int)posix_call_return(tried);
}

static __attribute__((noinline)) int poll_within(struct pollfd *files, nfds_t count, int timeout_ms)
{
	struct posix_files_entered entered;
	int result;

	if (posix_is_task() && (files || !count)) {
		struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
		const tact_time_t begun = tact_now();

		result = wait_local(files, count, timeout_ms < 0 ? NULL : &timeout);
		if (result != POSIX_IN_LINUX)
			return result;
		if (timeout_ms > 0) {
			timeout = posix_left(posix_ns(&timeout), begun);
			timeout_ms =
				(int)(timeout.tv_sec * 1000 + (timeout.tv_nsec + 999999) / 1000000);
		}
	}
	enter(&entered, files, count);
	if (!entered.count)
		return poll_in_linux(files, count, timeout_ms);
	pthread_cleanup_push(posix_files_left, &entered);
	result = poll_in_linux(files, count, timeout_ms);
	pthread_cleanup_pop(1);
	return result;
}

int poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
	look_at_stay(files, count, timeout_ms);
	return is_linuxs(files, count) ? posix_real.poll(files, count, timeout_ms)
				       : poll_within(files, count, timeout_ms);
}

int __poll_chk(struct pollfd *files, nfds_t count, int timeout_ms, size_t room)
{
	return room / sizeof(*files) >= count
		       ? poll(files, count, timeout_ms)
		       : posix_real.__poll_chk(files, count, timeout_ms, room);
}

static int ppoll_in_linux(struct pollfd *files, nfds_t count, const struct timespec *timeout,
			  const sigset_t *mask)
{
	const long arguments[6] = {(long)files, (long)count, (long)timeout, (long)mask};
	const long tried = posix_call_tried_in_call(SYS_ppoll, arguments);

	return tried == POSIX_CALL_GOES_ON ? posix_real.ppoll(files, count, timeout, mask)
					   : (int)posix_call_return(tried);
}

static int ppoll_within(struct pollfd *files, nfds_t count, const struct timespec *timeout,
			const sigset_t *mask)
{
	struct posix_files_entered entered;
	struct timespec left;
	int result;

	if (posix_is_task() && !mask && (files || !count) &&
	    (!timeout || posix_time_is_valid(timeout))) {
		const tact_time_t begun = tact_now();

		result = wait_local(files, count, timeout);
		if (result != POSIX_IN_LINUX)
			return result;
		if (timeout) {
			left = posix_left(posix_ns(timeout), begun);
			timeout = &left;
		}
	}
	enter(&entered, files, count);
	if (!entered.count)
		return ppoll_in_linux(files, count, timeout, mask);
	pthread_cleanup_push(posix_files_left, &entered);
	result = ppoll_in_linux(files, count, timeout, mask);
	pthread_cleanup_pop(1);
	return result;
}

static __attribute__((noinline)) int ppoll_admitting(uint64_t admitted, struct pollfd *files,
						     nfds_t count, const struct timespec *timeout,
						     const sigset_t *mask)
{
	int result;

	pthread_cleanup_push(posix_mask_admitted, &admitted);
	result = ppoll_within(files, count, timeout, mask);
	pthread_cleanup_pop(1);
	return result;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	uint64_t admitted;

	posix_call_begins();
	admitted = posix_mask_admit(mask);
	look_at_stay(files, count, true);
	if (!admitted && is_linuxs(files, count))
		return posix_real.ppoll(files, count, timeout, mask);
	return ppoll_admitting(admitted, files, count, timeout, mask);
}

int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t room)
{
	return room / sizeof(*files) >= count
		       ? ppoll(files, count, timeout, mask)
		       : posix_real.__ppoll_chk(files, count, timeout, mask, room);
}
