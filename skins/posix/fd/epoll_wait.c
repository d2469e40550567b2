/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for sets of epoll. A task waits in primary mode, as by poll() for the members, for one that
 * is known; for any other in Linux. Source: epoll_wait(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/epoll.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/signal/masks.h"

/* The members as poll() would be asked for them. False: it changes just now, or has none. */
static bool query(struct posix_epoll *set, struct pollfd files[POSIX_EPOLL_MEMBERS],
		  epoll_data_t data[POSIX_EPOLL_MEMBERS], nfds_t *count,
		  struct posix_files_set *whole)
{
	const uint32_t first = atomic_fetch_add(&set->first, 1);

	whole->changes = &set->changes;
	whole->before = atomic_load(&set->changes);
	*count = 0;
	for (unsigned i = 0; i < POSIX_EPOLL_MEMBERS; i++) {
		struct posix_epoll_member *member =
			&set->members[(first + i) % POSIX_EPOLL_MEMBERS];

		if (!posix_epoll_is_resident(member))
			continue;
		files[*count].fd = posix_file_fd(member->file);
		files[*count].events = (short)(member->event.events & (EPOLLIN | EPOLLOUT));
		whole->told[*count] = member->event.events & EPOLLET ? &member->told : NULL;
		data[(*count)++] = member->event.data;
	}
	return *count && !(whole->before & 1) && atomic_load(&set->changes) == whole->before;
}

/* An edge for which there was no room is told the next time. It is as after look(): some are ready.
 */
static int report(const struct pollfd *files, const epoll_data_t *data, nfds_t count,
		  const struct posix_files_set *whole, struct epoll_event *events, int most)
{
	int told = 0, found = 0;

	for (nfds_t i = 0; i < count; i++) {
		const struct epoll_event event = {(uint32_t)files[i].revents, data[i]};

		if (!files[i].revents)
			continue;
		if (found++ == told && told < most &&
		    posix_safe_copy(&events[told], &event, sizeof(event)))
			told++;
		else if (whole->told[i])
			atomic_store(whole->told[i], 0);
	}
	return told || !found ? told : posix_fail(EFAULT);
}

/* By a task: POSIX_IN_LINUX if it is not served. */
static int wait_local(struct posix_file *file, struct epoll_event *events, int most,
		      tact_timeout_t timeout)
{
	struct posix_files_set whole;
	struct pollfd files[POSIX_EPOLL_MEMBERS];
	epoll_data_t data[POSIX_EPOLL_MEMBERS];
	nfds_t count;
	int result;

	if (most <= 0 || posix_is_beyond(events))
		return POSIX_IN_LINUX;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	do {
		struct posix_epoll *set = posix_epoll_of(file);

		if (!set || atomic_load(&file->residency.pinned) ||
		    !query(set, files, data, &count, &whole))
			return POSIX_IN_LINUX;
		result = posix_files_await_set(files, count, timeout, &whole);
	} while (result == POSIX_CHANGED);
	return result > 0 ? report(files, data, count, &whole, events, most) : result;
}

/* A call as the program made it; by exactly one of Linux's two. */
struct wait {
	int epoll, most, timeout_ms;
	struct epoll_event *events;
	const sigset_t *mask;
	bool precise;                   /* epoll_pwait2() */
	const struct timespec *timeout; /* of that; NULL: for ever */
	struct timespec duration;       /* a copy of it, of a task's */
};

static inline __attribute__((always_inline)) int wait_in_linux(const struct wait *wait)
{
	if (wait->precise)
		return posix_real.epoll_pwait2(wait->epoll, wait->events, wait->most, wait->timeout,
					       wait->mask);
	return posix_real.epoll_pwait(wait->epoll, wait->events, wait->most, wait->timeout_ms,
				      wait->mask);
}

/* The same of a call in which handlers may have run. */
static int wait_on(const struct wait *wait)
{
	const long arguments[6] = {wait->epoll, (long)wait->events, wait->most,
				   wait->precise ? (long)wait->timeout : wait->timeout_ms,
				   (long)wait->mask};
	const long tried = posix_call_tried_in_call(
		wait->precise ? SYS_epoll_pwait2 : SYS_epoll_pwait, arguments);

	return tried == POSIX_CALL_GOES_ON ? wait_in_linux(wait) : (int)posix_call_return(tried);
}

/* False: it is Linux's to refuse. */
static bool timeout_of(struct wait *wait, tact_timeout_t *timeout)
{
	*timeout = TACT_FOREVER;
	if (!wait->precise && wait->timeout_ms >= 0)
		*timeout = tact_in(TACT_MS((uint64_t)wait->timeout_ms));
	if (!wait->precise || !wait->timeout)
		return true;
	if (!posix_safe_copy(&wait->duration, wait->timeout, sizeof(wait->duration)) ||
	    !posix_time_is_valid(&wait->duration))
		return false;
	*timeout = tact_in(posix_ns(&wait->duration));
	return true;
}

/* What is left of the wait that began then. */
static void shorten(struct wait *wait, tact_time_t begun)
{
	if (wait->timeout) {
		wait->duration = posix_left(posix_ns(&wait->duration), begun);
		wait->timeout = &wait->duration;
	} else if (wait->timeout_ms > 0) {
		const struct timespec left = posix_left(TACT_MS((uint64_t)wait->timeout_ms), begun);

		wait->timeout_ms = (int)(left.tv_sec * 1000 + (left.tv_nsec + 999999) / 1000000);
	}
}

static inline __attribute__((always_inline)) int wait_within(struct wait *wait)
{
	struct posix_file *file = posix_file_to_notify(wait->epoll);
	tact_timeout_t timeout;
	int result;

	if (!file)
		return wait_in_linux(wait);
	if (posix_call_is_tasks_wait() && !wait->mask && timeout_of(wait, &timeout)) {
		const tact_time_t begun = tact_now();

		result = wait_local(file, wait->events, wait->most, timeout);
		if (result != POSIX_IN_LINUX)
			return result;
		shorten(wait, begun);
	}
	posix_file_enter(file);
	pthread_cleanup_push(posix_file_left, file);
	result = wait_on(wait);
	pthread_cleanup_pop(1);
	return result;
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
		.epoll = epoll,
		.events = events,
		.most = most,
		.timeout_ms = timeout_ms,
		.mask = mask,
	};

	return wait_with_mask(&wait);
}

/* What is Linux's alone returns from there to the caller by itself, as in masks.c. */
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
		.epoll = epoll,
		.events = events,
		.most = most,
		.mask = mask,
		.precise = true,
		.timeout = timeout,
	};

	return posix_real.epoll_pwait2 ? wait_with_mask(&wait) : posix_fail(ENOSYS);
}
