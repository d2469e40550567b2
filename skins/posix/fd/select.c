/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * select() and pselect(), as poll() in poll.c. A task's wait is served if it names no descriptor,
 * or only descriptors that are all here. All other waits are done by Linux. Source: POSIX.1-2017,
 * select(), pselect(); select(2).
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
#include "posix/fd/fd_wait.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/signal/masks.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"

#define WORD ((int)(8 * sizeof(long))) /* descriptors in a word of a set */

/* The sets of the program, and copies of what Linux would read of them. */
struct sets {
	int count;     /* of the copies, FD_SETSIZE at most; -1: an invalid address */
	bool is_whole; /* the copies contain all that was requested */
	fd_set *read, *write, *except;
	fd_set of_read, of_write, of_except;
};

/* The call as the program made it: select(), which reports the time left, or pselect(). */
struct select_call {
	struct posix_fd_call call; /* first */
	struct sets sets;
	int count;
	struct timeval *told_timeout;   /* of select(), or NULL */
	const struct timespec *timeout; /* of pselect(), or NULL */
	struct timespec left;
	const sigset_t *mask;
};

static struct select_call *select_of(struct posix_fd_call *call)
{
	return (struct select_call *)call;
}

static size_t bytes_of(const struct sets *sets)
{
	return ((size_t)sets->count + WORD - 1) / WORD * sizeof(long);
}

static bool take_set(const fd_set *named, fd_set *copy, size_t bytes)
{
	if (named)
		return posix_safe_copy(copy, named, bytes);
	for (size_t word = 0; word < bytes / sizeof(long); word++)
		__FDS_BITS(copy)[word] = 0;
	return true;
}

/* Linux ignores descriptors beyond the count, and so they are in no result. */
static void cut(fd_set *copy, int count)
{
	if (count % WORD)
		__FDS_BITS(copy)[count / WORD] &= (long)((1ul << count % WORD) - 1);
}

static bool take_all(struct sets *sets)
{
	if (!take_set(sets->read, &sets->of_read, bytes_of(sets)) ||
	    !take_set(sets->write, &sets->of_write, bytes_of(sets)) ||
	    !take_set(sets->except, &sets->of_except, bytes_of(sets)))
		return false;
	cut(&sets->of_read, sets->count);
	cut(&sets->of_write, sets->count);
	cut(&sets->of_except, sets->count);
	return true;
}

/* No descriptor from FD_SETSIZE on is copied: larger sets would be needed. */
static void begin(struct sets *sets, int count, fd_set *read, fd_set *write, fd_set *except)
{
	sets->count = count <= FD_SETSIZE ? count : FD_SETSIZE;
	sets->read = read;
	sets->write = write;
	sets->except = except;
	if (count < 0 || !take_all(sets))
		sets->count = -1;
	sets->is_whole = sets->count >= 0 && count <= FD_SETSIZE;
}

static bool give_set(fd_set *named, const fd_set *copy, size_t bytes)
{
	return !named || posix_safe_copy(named, copy, bytes);
}

static int give_all(const struct sets *sets, int bits)
{
	return give_set(sets->read, &sets->of_read, bytes_of(sets)) &&
			       give_set(sets->write, &sets->of_write, bytes_of(sets)) &&
			       give_set(sets->except, &sets->of_except, bytes_of(sets))
		       ? bits
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

/*
 * The descriptors of this word that are in one of the sets. Source: the C library's sys/select.h.
 */
static unsigned long word_at(int first, const struct sets *sets)
{
	const int word = first / WORD;

	return (unsigned long)(__FDS_BITS(&sets->of_read)[word] |
			       __FDS_BITS(&sets->of_write)[word] |
			       __FDS_BITS(&sets->of_except)[word]);
}

/* The first descriptor from this one on that is in one of the sets; -1: none. */
static int next_in(const struct sets *sets, int fd)
{
	for (; fd < sets->count; fd = (fd / WORD + 1) * WORD) {
		const unsigned long bits = word_at(fd, sets) & ~0ul << fd % WORD;

		if (bits)
			return fd / WORD * WORD + __builtin_ctzl(bits);
	}
	return -1;
}

static int next(struct posix_fd_call *call, unsigned *place)
{
	const int fd = next_in(&select_of(call)->sets, (int)*place);

	*place = (unsigned)fd + 1;
	return fd;
}

static bool take(struct posix_fd_call *call, struct posix_fd_asked *asked)
{
	const struct sets *sets = &select_of(call)->sets;

	asked->count = 0;
	if (!sets->is_whole)
		return false;
	for (int fd = next_in(sets, 0); fd >= 0; fd = next_in(sets, fd + 1)) {
		short events = 0;

		if (asked->count == POSIX_FILES_MOST)
			return false;
		events |= has(fd, &sets->of_read) ? POLLIN : 0;
		events |= has(fd, &sets->of_write) ? POLLOUT : 0;
		asked->files[asked->count++] = (struct pollfd){.fd = fd, .events = events};
	}
	return true;
}

static int give(struct posix_fd_call *call, const struct posix_fd_asked *asked, int found)
{
	struct sets *sets = &select_of(call)->sets;
	int bits = 0;

	(void)found;
	for (nfds_t i = 0; i < asked->count; i++) {
		const struct pollfd *file = &asked->files[i];
		const bool read = file->revents & POLLIN, write = file->revents & POLLOUT;

		change(file->fd, &sets->of_read, read);
		change(file->fd, &sets->of_write, write);
		change(file->fd, &sets->of_except, false);
		bits += read + write;
	}
	return give_all(sets, bits);
}

static void tell_time(struct posix_fd_call *call, uint64_t timeout_ns, tact_time_t begun)
{
	const struct timespec left = posix_left(timeout_ns, begun);

	select_of(call)->told_timeout->tv_sec = left.tv_sec;
	select_of(call)->told_timeout->tv_usec = left.tv_nsec / 1000;
}

/* Rounded up, so that Linux does not wait too short. */
static void shorten_select(struct posix_fd_call *call, tact_time_t begun)
{
	tell_time(call, call->timeout_ns + TACT_US(1) - 1, begun);
}

static void tell_left(struct posix_fd_call *call, tact_time_t begun)
{
	tell_time(call, call->timeout_ns, begun);
}

static void shorten_pselect(struct posix_fd_call *call, tact_time_t begun)
{
	struct select_call *select = select_of(call);

	select->left = posix_left(call->timeout_ns, begun);
	select->timeout = &select->left;
}

static int select_in_linux(struct posix_fd_call *call)
{
	const struct select_call *select = select_of(call);
	const struct sets *sets = &select->sets;
	const long arguments[6] = {select->count, (long)sets->read, (long)sets->write,
				   (long)sets->except, (long)select->told_timeout};
	const long tried = posix_call_tried_in_call(SYS_select, arguments);

	return tried == POSIX_CALL_GOES_ON
		       ? posix_real.select(select->count, sets->read, sets->write, sets->except,
					   select->told_timeout)
		       : (int)posix_call_return(tried);
}

static int pselect_in_linux(struct posix_fd_call *call)
{
	const struct select_call *select = select_of(call);
	const struct sets *sets = &select->sets;
	const long sized_mask[2] = {(long)select->mask, sizeof(uint64_t)};
	const long arguments[6] = {select->count,      (long)sets->read,      (long)sets->write,
				   (long)sets->except, (long)select->timeout, (long)sized_mask};
	const long tried = posix_call_tried_in_call(SYS_pselect6, arguments);

	return tried == POSIX_CALL_GOES_ON
		       ? posix_real.pselect(select->count, sets->read, sets->write, sets->except,
					    select->timeout, select->mask)
		       : (int)posix_call_return(tried);
}

/* select() of Linux reports the time that was not slept. */
static const struct posix_fd_call_kind select_kind = {
	.next = next,
	.take = take,
	.give = give,
	.shorten = shorten_select,
	.tell_left = tell_left,
	.in_linux = select_in_linux,
};

static const struct posix_fd_call_kind pselect_kind = {
	.next = next,
	.take = take,
	.give = give,
	.shorten = shorten_pselect,
	.in_linux = pselect_in_linux,
};

/* The caller is a plain thread. Is one of them known? If there are too many, one may be. */
static __attribute__((noinline)) bool has_known(int count, fd_set *read, fd_set *write,
						fd_set *except)
{
	struct select_call select;

	if (count > FD_SETSIZE)
		return true;
	select.call.kind = &select_kind;
	begin(&select.sets, count, read, write, except);
	return posix_fd_call_has_known(&select.call);
}

/* For a sleep or a timer, as in poll.c. */
static __attribute__((noinline)) void break_stay(int count, fd_set *read, fd_set *write,
						 fd_set *except)
{
	struct select_call select;

	if (!read && !write && !except)
		posix_stay_waits();
	if (count > FD_SETSIZE)
		return;
	select.call.kind = &select_kind;
	begin(&select.sets, count, read, write, except);
	posix_fd_call_breaks_stay(&select.call);
}

/* Calls that concern only Linux are tail calls, so that they return directly to the caller, as in
 * masks.c. */
static bool is_linuxs(int count, fd_set *read, fd_set *write, fd_set *except)
{
	return !posix_call_is_tasks() &&
	       (!posix_files_are_known() || !has_known(count, read, write, except));
}

static __attribute__((noinline)) int select_within(int count, fd_set *read, fd_set *write,
						   fd_set *except, struct timeval *timeout)
{
	struct select_call select;

	select.call = (struct posix_fd_call){.kind = &select_kind, .has_timeout = timeout};
	select.count = count;
	select.told_timeout = timeout;
	begin(&select.sets, count, read, write, except);
	if (posix_is_task() && (!timeout || (timeout->tv_sec >= 0 && timeout->tv_usec >= 0))) {
		select.call.is_served = true;
		if (timeout)
			select.call.timeout_ns =
				posix_ns(&(struct timespec){.tv_sec = timeout->tv_sec}) +
				TACT_US((uint64_t)timeout->tv_usec);
	}
	return posix_fd_wait(&select.call);
}

int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)
{
	if (__builtin_expect(posix_stay_lasts(), 0))
		break_stay(count, read, write, except);
	return is_linuxs(count, read, write, except)
		       ? posix_real.select(count, read, write, except, timeout)
		       : select_within(count, read, write, except, timeout);
}

static int pselect_within(int count, fd_set *read, fd_set *write, fd_set *except,
			  const struct timespec *timeout, const sigset_t *mask)
{
	struct select_call select;

	select.call = (struct posix_fd_call){.kind = &pselect_kind, .has_timeout = timeout};
	select.count = count;
	select.timeout = timeout;
	select.mask = mask;
	begin(&select.sets, count, read, write, except);
	if (posix_is_task() && !mask && (!timeout || posix_time_is_valid(timeout))) {
		select.call.is_served = true;
		select.call.timeout_ns = timeout ? posix_ns(timeout) : 0;
	}
	return posix_fd_wait(&select.call);
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
