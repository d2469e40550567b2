/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for sets of epoll. If the set is known, a task waits in primary mode, as by poll() for the
 * members; otherwise it waits in Linux. Source: epoll_wait(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/epoll.h"
#include "posix/fd/fd_wait.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/signal/masks.h"

/* A call as the program made it: epoll_pwait() or epoll_pwait2(). */
struct wait {
	struct posix_fd_call call; /* first */
	int epoll, most, timeout_ms;
	struct epoll_event *events;
	const sigset_t *mask;
	bool precise;                   /* epoll_pwait2() */
	const struct timespec *timeout; /* of epoll_pwait2(); NULL: for ever */
	struct timespec duration;       /* a copy of the timeout of a task */
	epoll_data_t *data;             /* of the members that the call waits for */
};

static struct wait *wait_of(struct posix_fd_call *call)
{
	return (struct wait *)call;
}

/* Only the set: operations on it include its members. */
static int next(struct posix_fd_call *call, unsigned *place)
{
	return (*place)++ ? -1 : wait_of(call)->epoll;
}

/* The members, in the form of poll(). False: the set changes just now, or has no member. */
static bool query(struct wait *wait, struct posix_epoll *set, struct posix_fd_asked *asked)
{
	const uint32_t first = atomic_fetch_add(&set->first, 1);

	asked->changes = &set->changes;
	asked->before = atomic_load(&set->changes);
	asked->count = 0;
	for (unsigned i = 0; i < POSIX_EPOLL_MEMBERS; i++) {
		struct posix_epoll_member *member =
			&set->members[(first + i) % POSIX_EPOLL_MEMBERS];

		if (!posix_epoll_is_resident(member))
			continue;
		asked->files[asked->count].fd = posix_file_fd(member->file);
		asked->files[asked->count].events =
			(short)(member->event.events & (EPOLLIN | EPOLLOUT));
		asked->told[asked->count] = member->event.events & EPOLLET ? &member->told : NULL;
		wait->data[asked->count++] = member->event.data;
	}
	return asked->count && !(asked->before & 1) && atomic_load(&set->changes) == asked->before;
}

static bool take(struct posix_fd_call *call, struct posix_fd_asked *asked)
{
	struct wait *wait = wait_of(call);
	const struct posix_file *file = posix_file_to_notify(wait->epoll);
	struct posix_epoll *set = file ? posix_epoll_of(file) : NULL;

	return set && !atomic_load(&file->residency.pinned) && query(wait, set, asked);
}

/* An edge for which there was no room is reported the next time. */
static int give(struct posix_fd_call *call, const struct posix_fd_asked *asked, int found)
{
	const struct wait *wait = wait_of(call);
	int told = 0, seen = 0;

	for (nfds_t i = 0; i < asked->count; i++) {
		const struct epoll_event event = {(uint32_t)asked->files[i].revents, wait->data[i]};

		if (!asked->files[i].revents)
			continue;
		if (seen++ == told && told < wait->most &&
		    posix_safe_copy(&wait->events[told], &event, sizeof(event)))
			told++;
		else if (asked->told[i])
			atomic_store(asked->told[i], 0);
	}
	return told || !found ? told : posix_fail(EFAULT);
}

static void shorten(struct posix_fd_call *call, tact_time_t begun)
{
	struct wait *wait = wait_of(call);
	const struct timespec left = posix_left(call->timeout_ns, begun);

	wait->duration = left;
	if (wait->precise)
		wait->timeout = &wait->duration;
	else if (call->timeout_ns)
		wait->timeout_ms = (int)(left.tv_sec * 1000 + (left.tv_nsec + 999999) / 1000000);
}

static inline __attribute__((always_inline)) int wait_in_linux(const struct wait *wait)
{
	if (wait->precise)
		return posix_real.epoll_pwait2(wait->epoll, wait->events, wait->most, wait->timeout,
					       wait->mask);
	return posix_real.epoll_pwait(wait->epoll, wait->events, wait->most, wait->timeout_ms,
				      wait->mask);
}

/* The same for a call in which signal handlers may already have run. */
static int wait_on(struct posix_fd_call *call)
{
	const struct wait *wait = wait_of(call);
	const long arguments[6] = {wait->epoll, (long)wait->events, wait->most,
				   wait->precise ? (long)wait->timeout : wait->timeout_ms,
				   (long)wait->mask};
	const long tried = posix_call_tried_in_call(
		wait->precise ? SYS_epoll_pwait2 : SYS_epoll_pwait, arguments);

	return tried == POSIX_CALL_GOES_ON ? wait_in_linux(wait) : (int)posix_call_return(tried);
}

static const struct posix_fd_call_kind wait_kind = {
	.next = next,
	.take = take,
	.give = give,
	.shorten = shorten,
	.in_linux = wait_on,
};

/* False: Linux has to refuse it. */
static bool read_timeout(struct wait *wait)
{
	wait->call.has_timeout = wait->precise ? wait->timeout != NULL : wait->timeout_ms >= 0;
	if (!wait->call.has_timeout)
		return true;
	if (!wait->precise) {
		wait->call.timeout_ns = TACT_MS((uint64_t)wait->timeout_ms);
		return true;
	}
	if (!posix_safe_copy(&wait->duration, wait->timeout, sizeof(wait->duration)) ||
	    !posix_time_is_valid(&wait->duration))
		return false;
	wait->call.timeout_ns = posix_ns(&wait->duration);
	return true;
}

static inline __attribute__((always_inline)) int wait_within(struct wait *wait)
{
	epoll_data_t data[POSIX_EPOLL_MEMBERS];

	if (!posix_file_to_notify(wait->epoll))
		return wait_in_linux(wait);
	wait->data = data;
	wait->call.is_served = posix_call_is_tasks_wait() && !wait->mask && wait->most > 0 &&
			       !posix_is_beyond(wait->events) && read_timeout(wait);
	return posix_fd_wait(&wait->call);
}

static inline __attribute__((always_inline)) int wait_with_mask(struct wait *wait)
{
	uint64_t admitted = posix_mask_admit(wait->mask);
	int result;

	if (!admitted)
		return wait_within(wait);
	pthread_cleanup_push(posix_mask_admitted, &admitted);
	result = wait_within(wait);
	pthread_cleanup_pop(1);
	return result;
}

static __attribute__((noinline)) int wait_for_ms(int epoll, struct epoll_event *events, int most,
						 int timeout_ms, const sigset_t *mask)
{
	struct wait wait = {
		.call.kind = &wait_kind,
		.epoll = epoll,
		.events = events,
		.most = most,
		.timeout_ms = timeout_ms,
		.mask = mask,
	};

	return wait_with_mask(&wait);
}

/* Calls that concern only Linux are tail calls, so that they return directly to the caller, as in
 * masks.c. */
int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms,
		const sigset_t *mask)
{
	return mask || posix_file_to_notify(epoll)
		       ? wait_for_ms(epoll, events, most, timeout_ms, mask)
		       : posix_real.epoll_pwait(epoll, events, most, timeout_ms, mask);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
	return posix_file_to_notify(epoll) ? wait_for_ms(epoll, events, most, timeout_ms, NULL)
					   : posix_real.epoll_wait(epoll, events, most, timeout_ms);
}

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *timeout,
		 const sigset_t *mask)
{
	struct wait wait = {
		.call.kind = &wait_kind,
		.epoll = epoll,
		.events = events,
		.most = most,
		.mask = mask,
		.precise = true,
		.timeout = timeout,
	};

	return posix_real.epoll_pwait2 ? wait_with_mask(&wait) : posix_fail(ENOSYS);
}
