/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of Linux, made without a wait. If Linux has a way for that (WNOHANG, IPC_NOWAIT,
 * MSG_DONTWAIT, a time of zero), the call takes what is there at this moment. If it has none
 * (read(), write(), accept()), poll() reports whether it would wait; a call that would not wait is
 * not made here. A call that changes something before it waits (connect(), a lock with inheritance)
 * is left alone. F_SETLKW of a lock with which Linux would find a deadlock counts as a call that
 * waits: the next call finds it.
 */
#define _GNU_SOURCE
#include "posix/calls/tried.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "posix/calls/safe_copy.h"
#include "posix/libc/real.h"

#define OPERATIONS_MAX 64u /* of semaphores; a call with more continues */

static const struct timespec none = {0};

long posix_tried_make(long number, long first, long second, long third, long fourth, long fifth,
		      long sixth)
{
	const long result = posix_real.syscall(number, first, second, third, fourth, fifth, sixth);

	return result == -1 ? -errno : result;
}

/* waits: the result by which Linux reports that the call would have waited. */
static long unless(long result, long waits)
{
	return result == waits ? -EINTR : result;
}

static bool blocks(long fd)
{
	const int flags = posix_real.fcntl((int)fd, F_GETFL);

	return flags >= 0 && !(flags & O_NONBLOCK);
}

/* A file on a disk is always ready: its reads and writes are never interrupted. */
static long poll_for(long fd, short events)
{
	struct pollfd one = {.fd = (int)fd, .events = events};

	return blocks(fd) && !posix_real.poll(&one, 1, 0) ? -EINTR : POSIX_CALL_GOES_ON;
}

/* flags: the number of the argument with the flags of the message. */
static long try_message(long number, const long a[6], size_t flags)
{
	long asked[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};

	if (a[flags] & MSG_DONTWAIT || !blocks(a[0]))
		return POSIX_CALL_GOES_ON;
	asked[flags] |= MSG_DONTWAIT;
	return unless(posix_tried_make(number, asked[0], asked[1], asked[2], asked[3], asked[4],
				       asked[5]),
		      -EAGAIN);
}

/* time: the number of the argument with the time. */
static long try_timed(long number, const long a[6], size_t time, long waits)
{
	long asked[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};

	asked[time] = (long)&none;
	return unless(posix_tried_make(number, asked[0], asked[1], asked[2], asked[3], asked[4],
				       asked[5]),
		      waits);
}

/* futex_waitv() checks the clock even without a timeout. */
static long try_futex(long number, const long a[6])
{
	const long clock = a[3] ? a[4] : CLOCK_MONOTONIC;
	const long asked[6] = {a[0], a[1], a[2], a[3], number == SYS_futex ? a[4] : clock, a[5]};

	return try_timed(number, asked, 3, -ETIMEDOUT);
}

static long try_queue(long number, const long a[6])
{
	return blocks(a[0]) ? try_timed(number, a, 4, -ETIMEDOUT) : POSIX_CALL_GOES_ON;
}

/* If a call fails, Linux leaves the sets unchanged, but a call without a wait clears them: so
 * copies are used. */
static long try_select(long number, const long a[6])
{
	const size_t bytes = (size_t)(a[0] + 63) / 64 * sizeof(long);
	struct timespec at_once = {0};
	fd_set sets[3];
	long asked[3] = {0}, result;

	if (a[0] < 0)
		return POSIX_CALL_GOES_ON;
	/* More descriptors would need larger sets. */
	if (a[0] > FD_SETSIZE)
		return -EINTR;
	for (size_t i = 0; i < 3; i++) {
		if (a[i + 1] && !posix_safe_copy(&sets[i], (const void *)a[i + 1], bytes))
			return POSIX_CALL_GOES_ON;
		asked[i] = a[i + 1] ? (long)&sets[i] : 0;
	}
	result = posix_tried_make(number, a[0], asked[0], asked[1], asked[2], (long)&at_once, 0);
	for (size_t i = 0; i < 3 && result > 0; i++)
		if (asked[i] && !posix_safe_copy((void *)a[i + 1], &sets[i], bytes))
			result = -EFAULT;
	return unless(result, 0);
}

/* Linux reports "none" by a record of zeros, if there is a buffer for it. */
static long try_waitid(const long a[6])
{
	siginfo_t info = {.si_signo = 0};
	long result;

	/* A nonblocking pidfd reports this itself. */
	if (a[0] == P_PIDFD && !blocks(a[1]))
		return POSIX_CALL_GOES_ON;
	result = posix_tried_make(SYS_waitid, a[0], a[1], (long)&info, a[3] | WNOHANG, a[4], 0);
	if (result)
		return result;
	if (!info.si_signo)
		return -EINTR;
	return !a[2] || posix_safe_copy((void *)a[2], &info, sizeof(info)) ? 0 : -EFAULT;
}

static long try_record_lock(const long a[6])
{
	const long command = a[1] == F_SETLKW ? F_SETLK : F_OFD_SETLK;

	if (a[1] != F_SETLKW && a[1] != F_OFD_SETLKW)
		return POSIX_CALL_GOES_ON;
	return unless(unless(posix_tried_make(SYS_fcntl, a[0], command, a[2], 0, 0, 0), -EAGAIN),
		      -EACCES);
}

/* All operations are done at once, or none. The one that cannot be done may be one that must not
 * wait. */
static long try_semaphores(const long a[6])
{
	struct sembuf operations[OPERATIONS_MAX];
	bool all_wait = true;
	long result;

	if ((unsigned long)a[2] > OPERATIONS_MAX ||
	    !posix_safe_copy(operations, (const void *)a[1], (size_t)a[2] * sizeof(operations[0])))
		return POSIX_CALL_GOES_ON;
	for (long i = 0; i < a[2]; i++) {
		all_wait &= !(operations[i].sem_flg & IPC_NOWAIT);
		operations[i].sem_flg |= IPC_NOWAIT;
	}
	result = posix_tried_make(SYS_semop, a[0], (long)operations, a[2], 0, 0, 0);
	return result == -EAGAIN && !all_wait ? POSIX_CALL_GOES_ON : unless(result, -EAGAIN);
}

long posix_tried(long number, const long a[6])
{
	switch (number) {
	case SYS_futex:
	case SYS_futex_waitv:
		return try_futex(number, a);
	case SYS_poll:
		return unless(posix_tried_make(number, a[0], a[1], 0, 0, 0, 0), 0);
	case SYS_ppoll: {
		struct timespec at_once = {0};

		return unless(posix_tried_make(number, a[0], a[1], (long)&at_once, 0, 0, 0), 0);
	}
	case SYS_select:
	case SYS_pselect6:
		return try_select(number, a);
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return unless(posix_tried_make(number, a[0], a[1], a[2], 0, 0, 0), 0);
	case SYS_epoll_pwait2:
		return unless(posix_tried_make(number, a[0], a[1], a[2], (long)&none, 0, 0), 0);
	case SYS_io_getevents:
	case SYS_io_pgetevents:
		return unless(posix_tried_make(number, a[0], a[1], a[2], a[3], (long)&none, 0), 0);
	case SYS_rt_sigtimedwait:
		return try_timed(number, a, 2, -EAGAIN);
	case SYS_wait4:
		return unless(posix_tried_make(number, a[0], a[1], a[2] | WNOHANG, a[3], 0, 0), 0);
	case SYS_waitid:
		return try_waitid(a);
	case SYS_flock:
		return a[1] & LOCK_NB
			       ? POSIX_CALL_GOES_ON
			       : unless(posix_tried_make(number, a[0], a[1] | LOCK_NB, 0, 0, 0, 0),
					-EWOULDBLOCK);
	case SYS_fcntl:
		return try_record_lock(a);
	case SYS_msgrcv:
		return a[4] & IPC_NOWAIT ? POSIX_CALL_GOES_ON
					 : unless(posix_tried_make(number, a[0], a[1], a[2], a[3],
								   a[4] | IPC_NOWAIT, 0),
						  -ENOMSG);
	case SYS_msgsnd:
		return a[3] & IPC_NOWAIT ? POSIX_CALL_GOES_ON
					 : unless(posix_tried_make(number, a[0], a[1], a[2],
								   a[3] | IPC_NOWAIT, 0, 0),
						  -EAGAIN);
	case SYS_semop:
	case SYS_semtimedop:
		return try_semaphores(a);
	case SYS_recvfrom:
	case SYS_recvmmsg:
	case SYS_sendto:
	case SYS_sendmmsg:
		return try_message(number, a, 3);
	case SYS_recvmsg:
	case SYS_sendmsg:
		return try_message(number, a, 2);
	case SYS_mq_timedreceive:
	case SYS_mq_timedsend:
		return try_queue(number, a);
	case SYS_read:
	case SYS_readv:
	case SYS_accept:
	case SYS_accept4:
		return poll_for(a[0], POLLIN);
	case SYS_write:
	case SYS_writev:
		return poll_for(a[0], POLLOUT);
	case SYS_open:
	case SYS_openat:
	case SYS_creat:
		return posix_tried_open(number, a);
	default:
		return POSIX_CALL_GOES_ON;
	}
}
