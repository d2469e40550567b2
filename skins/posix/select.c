/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * select() and pselect(), as poll() in poll.c: a task's wait for no descriptor or for some that are
 * all here is served, any other is Linux's. Source: POSIX.1-2017, select(), pselect(); select(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/select.h>

#include "clock.h"
#include "files.h"
#include "masks.h"
#include "real.h"
#include "thread.h"
#include "wait.h"

#define MOST 64

struct sets {
	int count;
	fd_set *read, *write, *except;
};

static bool has(int fd, fd_set *set)
{
	return set && FD_ISSET(fd, set);
}

static void change(int fd, fd_set *set, bool in)
{
	if (set && in)
		FD_SET(fd, set);
	else if (set)
		FD_CLR(fd, set);
}

static bool is_in(int fd, const struct sets *sets)
{
	return has(fd, sets->read) || has(fd, sets->write) || has(fd, sets->except);
}

/* What poll() would be asked for. False: too much. */
static bool ask(const struct sets *sets, struct pollfd files[MOST], nfds_t *count)
{
	*count = 0;
	for (int fd = 0; fd < sets->count; fd++) {
		short events = 0;

		if (!is_in(fd, sets))
			continue;
		if (*count == MOST || !posix_file_of(fd))
			return false;
		events |= has(fd, sets->read) ? POLLIN : 0;
		events |= has(fd, sets->write) ? POLLOUT : 0;
		files[(*count)++] = (struct pollfd){.fd = fd, .events = events};
	}
	return true;
}

static int tell(const struct sets *sets, const struct pollfd *files, nfds_t count)
{
	int found = 0;

	for (nfds_t i = 0; i < count; i++) {
		const bool read = files[i].revents & POLLIN, write = files[i].revents & POLLOUT;

		change(files[i].fd, sets->read, read);
		change(files[i].fd, sets->write, write);
		change(files[i].fd, sets->except, false);
		found += read + write;
	}
	return found;
}

/* By a task. timeout: NULL for ever. POSIX_IN_LINUX: it is not served. */
static int wait_here(const struct sets *sets, const uint64_t *timeout_ns)
{
	struct pollfd files[MOST];
	nfds_t count;
	int result;

	if (sets->count < 0 || sets->count > FD_SETSIZE || !ask(sets, files, &count))
		return POSIX_IN_LINUX;
	if (count) {
		result = posix_files_await(files, count,
					   timeout_ns ? tact_in(*timeout_ns) : TACT_FOREVER);
		return result < 0 ? result : tell(sets, files, count);
	}
	if (!timeout_ns)
		return POSIX_IN_LINUX;
	if (!posix_wait_time(tact_in(*timeout_ns)))
		return 0;
	return posix_fail(EINTR);
}

static void enter(struct posix_files_entered *entered, const struct sets *sets)
{
	entered->count = 0;
	for (int fd = 0; fd < sets->count && fd < FD_SETSIZE; fd++)
		if (posix_file_of(fd) && is_in(fd, sets))
			posix_files_enter(entered, fd);
}

/* On Linux the time that was not slept is told. What Linux waits on for is no shorter. */
int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)
{
	const struct sets sets = {count, read, write, except};
	struct posix_files_entered entered;
	int result;

	if (posix_is_task() && (!timeout || (timeout->tv_sec >= 0 && timeout->tv_usec >= 0))) {
		const tact_time_t begun = tact_now();
		uint64_t timeout_ns = 0;

		if (timeout)
			timeout_ns = posix_ns(&(struct timespec){.tv_sec = timeout->tv_sec}) +
				     TACT_US((uint64_t)timeout->tv_usec);
		result = wait_here(&sets, timeout ? &timeout_ns : NULL);
		if (timeout) {
			const uint64_t up_ns = result == POSIX_IN_LINUX ? TACT_US(1) - 1 : 0;
			const struct timespec left = posix_left(timeout_ns + up_ns, begun);

			timeout->tv_sec = left.tv_sec;
			timeout->tv_usec = left.tv_nsec / 1000;
		}
		if (result != POSIX_IN_LINUX)
			return result;
	}
	enter(&entered, &sets);
	if (!entered.count)
		return posix_real.select(count, read, write, except, timeout);
	pthread_cleanup_push(posix_files_left, &entered);
	result = posix_real.select(count, read, write, except, timeout);
	pthread_cleanup_pop(1);
	return result;
}

static int pselect_within(int count, fd_set *read, fd_set *write, fd_set *except,
			  const struct timespec *timeout, const sigset_t *mask)
{
	const struct sets sets = {count, read, write, except};
	struct posix_files_entered entered;
	struct timespec left;
	int result;

	if (posix_is_task() && !mask && (!timeout || posix_time_is_valid(timeout))) {
		const uint64_t timeout_ns = timeout ? posix_ns(timeout) : 0;
		const tact_time_t begun = tact_now();

		result = wait_here(&sets, timeout ? &timeout_ns : NULL);
		if (result != POSIX_IN_LINUX)
			return result;
		if (timeout) {
			left = posix_left(timeout_ns, begun);
			timeout = &left;
		}
	}
	enter(&entered, &sets);
	if (!entered.count)
		return posix_real.pselect(count, read, write, except, timeout, mask);
	pthread_cleanup_push(posix_files_left, &entered);
	result = posix_real.pselect(count, read, write, except, timeout, mask);
	pthread_cleanup_pop(1);
	return result;
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *except, const struct timespec *timeout,
	    const sigset_t *mask)
{
	uint64_t admitted = posix_mask_admit(mask);
	int result;

	if (!admitted)
		return pselect_within(count, read, write, except, timeout, mask);
	pthread_cleanup_push(posix_mask_admitted, &admitted);
	result = pselect_within(count, read, write, except, timeout, mask);
	pthread_cleanup_pop(1);
	return result;
}
