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
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/signal/masks.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"

#define MOST POSIX_FILES_MOST
#define WORD ((int)(8 * sizeof(long))) /* so many descriptors a word of a set has */

/* As they were asked for, and copies of what Linux would read of them, and no more. */
struct sets {
	int count;
	fd_set *read, *write, *except;
	fd_set of_read, of_write, of_except;
};

static void begin(struct sets *sets, int count, fd_set *read, fd_set *write, fd_set *except)
{
	sets->count = count;
	sets->read = read;
	sets->write = write;
	sets->except = except;
}

static size_t bytes_of(const struct sets *sets)
{
	return ((size_t)sets->count + WORD - 1) / WORD * sizeof(long);
}

static bool take(const fd_set *named, fd_set *copy, size_t bytes)
{
	if (named)
		return posix_safe_copy(copy, named, bytes);
	for (size_t word = 0; word < bytes / sizeof(long); word++)
		__FDS_BITS(copy)[word] = 0;
	return true;
}

/* To Linux, and so in what it tells, there is none beyond the count. */
static void cut(fd_set *copy, int count)
{
	if (count % WORD)
		__FDS_BITS(copy)[count / WORD] &= (long)((1ul << count % WORD) - 1);
}

/* False: there are too many, or one leads nowhere. */
static bool take_all(struct sets *sets)
{
	if (sets->count < 0 || sets->count > FD_SETSIZE ||
	    !take(sets->read, &sets->of_read, bytes_of(sets)) ||
	    !take(sets->write, &sets->of_write, bytes_of(sets)) ||
	    !take(sets->except, &sets->of_except, bytes_of(sets)))
		return false;
	cut(&sets->of_read, sets->count);
	cut(&sets->of_write, sets->count);
	cut(&sets->of_except, sets->count);
	return true;
}

static bool give(fd_set *named, const fd_set *copy, size_t bytes)
{
	return !named || posix_safe_copy(named, copy, bytes);
}

static int give_all(const struct sets *sets, int found)
{
	return give(sets->read, &sets->of_read, bytes_of(sets)) &&
			       give(sets->write, &sets->of_write, bytes_of(sets)) &&
			       give(sets->except, &sets->of_except, bytes_of(sets))
		       ? found
		       : posix_fail(EFAULT);
}

static bool has(int fd, const fd_set *set)
{
	return FD_ISSET(fd, set);
}

static void change(int fd, fd_set *set, bool in)
{
	if (in)
		FD_SET(fd, set);
	else
		FD_CLR(fd, set);
}

static bool is_in(int fd, const struct sets *sets)
{
	return has(fd, &sets->of_read) || has(fd, &sets->of_write) || has(fd, &sets->of_except);
}

/* Of those that are in one of the sets. Source: the C library's sys/select.h. */
static unsigned long word_at(int first, const struct sets *sets)
{
	const int word = first / WORD;

	return (unsigned long)(__FDS_BITS(&sets->of_read)[word] |
			       __FDS_BITS(&sets->of_write)[word] |
			       __FDS_BITS(&sets->of_except)[word]);
}

/* What poll() would be asked for. False: too much. */
static bool query(const struct sets *sets, struct pollfd files[MOST], nfds_t *count)
{
	*count = 0;
	for (int fd = 0; fd < sets->count; fd++) {
		short events = 0;

		if (!is_in(fd, sets))
			continue;
		if (*count == MOST || !posix_file_of(fd))
			return false;
		events |= has(fd, &sets->of_read) ? POLLIN : 0;
		events |= has(fd, &sets->of_write) ? POLLOUT : 0;
		files[(*count)++] = (struct pollfd){.fd = fd, .events = events};
	}
	return true;
}

static int report(struct sets *sets, const struct pollfd *files, nfds_t count)
{
	int found = 0;

	for (nfds_t i = 0; i < count; i++) {
		const bool read = files[i].revents & POLLIN, write = files[i].revents & POLLOUT;

		change(files[i].fd, &sets->of_read, read);
		change(files[i].fd, &sets->of_write, write);
		change(files[i].fd, &sets->of_except, false);
		found += read + write;
	}
	return give_all(sets, found);
}

/* By a task. timeout: NULL for ever. POSIX_IN_LINUX: it is not served. */
static int wait_local(struct sets *sets, const uint64_t *timeout_ns)
{
	struct pollfd files[MOST];
	nfds_t count;
	int result;

	if (!take_all(sets) || !query(sets, files, &count))
		return POSIX_IN_LINUX;
	if (count) {
		result = posix_files_await(files, count,
					   timeout_ns ? tact_in(*timeout_ns) : TACT_FOREVER);
		return result < 0 ? result : report(sets, files, count);
	}
	if (!timeout_ns)
		return POSIX_IN_LINUX;
	if (!posix_wait_time(tact_in(*timeout_ns)))
		return 0;
	return posix_fail(EINTR);
}

/* The first from this one on that is known; the count: none. */
static int known_from(int fd, const struct sets *sets)
{
	for (; fd < sets->count; fd = (fd / WORD + 1) * WORD) {
		unsigned long bits = word_at(fd, sets) & ~0ul << fd % WORD;

		for (; bits; bits &= bits - 1) {
			const int one = fd / WORD * WORD + __builtin_ctzl(bits);

			if (posix_file_of(one))
				return one;
		}
	}
	return sets->count;
}

static void enter(struct posix_files_entered *entered, struct sets *sets)
{
	entered->count = 0;
	/* Of more there would have to be larger sets: these are what can be known. */
	if (sets->count > FD_SETSIZE)
		sets->count = FD_SETSIZE;
	if (!take_all(sets))
		return;
	for (int fd = known_from(0, sets); fd < sets->count; fd = known_from(fd + 1, sets))
		posix_files_enter(entered, fd);
}

/* By a plain thread: is one of them known? Of too many one may be. */
static __attribute__((noinline)) bool has_known(int count, fd_set *read, fd_set *write,
						fd_set *except)
{
	struct sets sets;

	if (count > FD_SETSIZE)
		return true;
	begin(&sets, count, read, write, except);
	return take_all(&sets) && known_from(0, &sets) < count;
}

/* To sleep, or for a timer, as in poll.c. */
static __attribute__((noinline)) void break_stay(int count, fd_set *read, fd_set *write,
						 fd_set *except)
{
	struct sets sets;

	if (!read && !write && !except)
		posix_stay_waits();
	if (count > FD_SETSIZE)
		return;
	begin(&sets, count, read, write, except);
	for (int fd = take_all(&sets) ? known_from(0, &sets) : count; fd < count;
	     fd = known_from(fd + 1, &sets))
		if (posix_file_is(posix_file_to_notify(fd), &posix_timerfd)) {
			posix_stay_waits();
			return;
		}
}

/* What is Linux's alone returns from there to the caller by itself, as in masks.c. */
static bool is_linuxs(int count, fd_set *read, fd_set *write, fd_set *except)
{
	return !posix_call_is_tasks() &&
	       (!posix_files_are_known() || !has_known(count, read, write, except));
}

static int select_in_linux(int count, fd_set *read, fd_set *write, fd_set *except,
			   struct timeval *timeout)
{
	const long arguments[6] = {count, (long)read, (long)write, (long)except, (long)timeout};
	const long tried = posix_call_tried_in_call(SYS_select, arguments);

	return tried == POSIX_CALL_GOES_ON ? posix_real.select(count, read, write, except, timeout)
					   : (int)posix_call_return(tried);
}

/* On Linux the time that was not slept is told. What Linux waits on for is no shorter. */
static __attribute__((noinline)) int select_within(int count, fd_set *read, fd_set *write,
						   fd_set *except, struct timeval *timeout)
{
	struct posix_files_entered entered;
	struct sets sets;
	int result;

	begin(&sets, count, read, write, except);
	if (posix_is_task() && (!timeout || (timeout->tv_sec >= 0 && timeout->tv_usec >= 0))) {
		const tact_time_t begun = tact_now();
		uint64_t timeout_ns = 0;

		if (timeout)
			timeout_ns = posix_ns(&(struct timespec){.tv_sec = timeout->tv_sec}) +
				     TACT_US((uint64_t)timeout->tv_usec);
		result = wait_local(&sets, timeout ? &timeout_ns : NULL);
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
		return select_in_linux(count, read, write, except, timeout);
	pthread_cleanup_push(posix_files_left, &entered);
	result = select_in_linux(count, read, write, except, timeout);
	pthread_cleanup_pop(1);
	return result;
}

int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)
{
	if (__builtin_expect(posix_stay_lasts(), 0))
		break_stay(count, read, write, except);
	return is_linuxs(count, read, write, except)
		       ? posix_real.select(count, read, write, except, timeout)
		       : select_within(count, read, write, except, timeout);
}

static int pselect_in_linux(int count, fd_set *read, fd_set *write, fd_set *except,
			    const struct timespec *timeout, const sigset_t *mask)
{
	const long sized_mask[2] = {(long)mask, sizeof(uint64_t)};
	const long arguments[6] = {count,        (long)read,    (long)write,
				   (long)except, (long)timeout, (long)sized_mask};
	const long tried = posix_call_tried_in_call(SYS_pselect6, arguments);

	return tried == POSIX_CALL_GOES_ON
		       ? posix_real.pselect(count, read, write, except, timeout, mask)
		       : (int)posix_call_return(tried);
}

static int pselect_within(int count, fd_set *read, fd_set *write, fd_set *except,
			  const struct timespec *timeout, const sigset_t *mask)
{
	struct posix_files_entered entered;
	struct timespec left;
	struct sets sets;
	int result;

	begin(&sets, count, read, write, except);
	if (posix_is_task() && !mask && (!timeout || posix_time_is_valid(timeout))) {
		const uint64_t timeout_ns = timeout ? posix_ns(timeout) : 0;
		const tact_time_t begun = tact_now();

		result = wait_local(&sets, timeout ? &timeout_ns : NULL);
		if (result != POSIX_IN_LINUX)
			return result;
		if (timeout) {
			left = posix_left(timeout_ns, begun);
			timeout = &left;
		}
	}
	enter(&entered, &sets);
	if (!entered.count)
		return pselect_in_linux(count, read, write, except, timeout, mask);
	pthread_cleanup_push(posix_files_left, &entered);
	result = pselect_in_linux(count, read, write, except, timeout, mask);
	pthread_cleanup_pop(1);
	return result;
}

static __attribute__((noinline)) int pselect_admitting(uint64_t admitted, int count, fd_set *read,
						       fd_set *write, fd_set *except,
						       const struct timespec *timeout,
						       const sigset_t *mask)
{
	int result;

	pthread_cleanup_push(posix_mask_admitted, &admitted);
	result = pselect_within(count, read, write, except, timeout, mask);
	pthread_cleanup_pop(1);
	return result;
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *except, const struct timespec *timeout,
	    const sigset_t *mask)
{
	uint64_t admitted;

	posix_call_begins();
	admitted = posix_mask_admit(mask);
	if (__builtin_expect(posix_stay_lasts(), 0))
		break_stay(count, read, write, except);
	if (!admitted && is_linuxs(count, read, write, except))
		return posix_real.pselect(count, read, write, except, timeout, mask);
	return pselect_admitting(admitted, count, read, write, except, timeout, mask);
}
