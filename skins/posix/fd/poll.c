/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * poll() and ppoll(). A task's wait for no file is a sleep. A task's wait for descriptors that are
 * all here (files.h) is served. All other waits are done by Linux, and so is a wait that changes
 * the signal mask. Source: POSIX.1-2017, poll(), select(), pselect(); ppoll(2).
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
#include "posix/fd/fd_wait.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/signal/masks.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"

/* The call as the program made it: poll() with timeout_ms, or ppoll() with the rest. */
struct poll_call {
	struct posix_fd_call call; /* first */
	struct pollfd *files;
	nfds_t count;
	nfds_t looked_at; /* the number of entries that are looked at */
	int timeout_ms;
	const struct timespec *timeout; /* of ppoll(), or NULL */
	struct timespec left;
	const sigset_t *mask;
};

static struct poll_call *poll_of(struct posix_fd_call *call)
{
	return (struct poll_call *)call;
}

static int next(struct posix_fd_call *call, unsigned *place)
{
	const struct poll_call *poll = poll_of(call);
	int fd = -1;

	while (fd < 0 && *place < poll->looked_at)
		if (!posix_safe_copy(&fd, &poll->files[(*place)++].fd, sizeof(fd)))
			return -1;
	return fd;
}

static bool take(struct posix_fd_call *call, struct posix_fd_asked *asked)
{
	const struct poll_call *poll = poll_of(call);

	asked->count = poll->count;
	return poll->count <= POSIX_FILES_MOST &&
	       posix_safe_copy(asked->files, poll->files, poll->count * sizeof(*poll->files));
}

/*
 * Write what was found in each file, and nothing else: other threads may change the rest meanwhile.
 */
static int give(struct posix_fd_call *call, const struct posix_fd_asked *asked, int found)
{
	struct pollfd *files = poll_of(call)->files;

	for (nfds_t i = 0; i < asked->count; i++)
		if (!posix_safe_copy(&files[i].revents, &asked->files[i].revents,
				     sizeof(files[i].revents)))
			return posix_fail(EFAULT);
	return found;
}

static void shorten_poll(struct posix_fd_call *call, tact_time_t begun)
{
	const struct timespec left = posix_left(call->timeout_ns, begun);

	if (call->timeout_ns)
		poll_of(call)->timeout_ms =
			(int)(left.tv_sec * 1000 + (left.tv_nsec + 999999) / 1000000);
}

static void shorten_ppoll(struct posix_fd_call *call, tact_time_t begun)
{
	struct poll_call *poll = poll_of(call);

	poll->left = posix_left(call->timeout_ns, begun);
	poll->timeout = &poll->left;
}

static int poll_in_linux(struct posix_fd_call *call)
{
	const struct poll_call *poll = poll_of(call);
	const long arguments[6] = {(long)poll->files, (long)poll->count, poll->timeout_ms};
	const long tried = posix_call_tried_in_call(SYS_poll, arguments);

	return tried == POSIX_CALL_GOES_ON
		       ? posix_real.poll(poll->files, poll->count, poll->timeout_ms)
		       : (int)posix_call_return(tried);
}

static int ppoll_in_linux(struct posix_fd_call *call)
{
	const struct poll_call *poll = poll_of(call);
	const long arguments[6] = {(long)poll->files, (long)poll->count, (long)poll->timeout,
				   (long)poll->mask};
	const long tried = posix_call_tried_in_call(SYS_ppoll, arguments);

	return tried == POSIX_CALL_GOES_ON
		       ? posix_real.ppoll(poll->files, poll->count, poll->timeout, poll->mask)
		       : (int)posix_call_return(tried);
}

static const struct posix_fd_call_kind poll_kind = {
	.next = next,
	.take = take,
	.give = give,
	.shorten = shorten_poll,
	.in_linux = poll_in_linux,
};

static const struct posix_fd_call_kind ppoll_kind = {
	.next = next,
	.take = take,
	.give = give,
	.shorten = shorten_ppoll,
	.in_linux = ppoll_in_linux,
};

/* Linux refuses a count above the program's limit of descriptors without reading the entries. */
static bool is_refused(nfds_t count)
{
	struct rlimit limit;

	return count > FD_SETSIZE && (getrlimit(RLIMIT_NOFILE, &limit) || count > limit.rlim_cur);
}

/* Is one of them known? If there are too many, one may be. */
static __attribute__((noinline)) bool has_known(struct pollfd *files, nfds_t count)
{
	struct poll_call poll = {
		.call.kind = &poll_kind, .files = files, .count = count, .looked_at = count};

	return count > FD_SETSIZE || posix_fd_call_has_known(&poll.call);
}

/* A thread that stays in Linux comes back for a sleep or a timer, and not for other files. */
static __attribute__((noinline)) void break_stay(struct pollfd *files, nfds_t count)
{
	struct poll_call poll = {
		.call.kind = &poll_kind, .files = files, .count = count, .looked_at = count};

	if (!count)
		posix_stay_waits();
	else if (files && count <= FD_SETSIZE)
		posix_fd_call_breaks_stay(&poll.call);
}

static inline void look_at_stay(struct pollfd *files, nfds_t count, bool waits)
{
	if (__builtin_expect(posix_stay_lasts(), 0) && waits)
		break_stay(files, count);
}

/* Calls that concern only Linux are tail calls, so that they return directly to the caller, as in
 * masks.c. */
static bool is_linuxs(struct pollfd *files, nfds_t count)
{
	return !posix_call_is_tasks() && (!posix_files_are_known() || !has_known(files, count));
}

static __attribute__((noinline)) int poll_within(struct pollfd *files, nfds_t count, int timeout_ms)
{
	struct poll_call poll = {
		.call = {.kind = &poll_kind,
			 .is_served = posix_is_task() && (files || !count),
			 .has_timeout = timeout_ms >= 0,
			 .timeout_ns = timeout_ms > 0 ? TACT_MS((uint64_t)timeout_ms) : 0},
		.files = files,
		.count = count,
		.looked_at = is_refused(count) ? 0 : count,
		.timeout_ms = timeout_ms,
	};

	return posix_fd_wait(&poll.call);
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

static int ppoll_within(struct pollfd *files, nfds_t count, const struct timespec *timeout,
			const sigset_t *mask)
{
	struct poll_call poll = {
		.call.kind = &ppoll_kind,
		.call.has_timeout = timeout,
		.files = files,
		.count = count,
		.looked_at = is_refused(count) ? 0 : count,
		.timeout = timeout,
		.mask = mask,
	};

	if (posix_is_task() && !mask && (files || !count) &&
	    (!timeout || posix_time_is_valid(timeout))) {
		poll.call.is_served = true;
		poll.call.timeout_ns = timeout ? posix_ns(timeout) : 0;
	}
	return posix_fd_wait(&poll.call);
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
