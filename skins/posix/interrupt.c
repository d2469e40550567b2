/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of Linux's that a handler interrupts just before they begin. A task's goes from primary
 * mode to its shadow first, which takes some 10 us, and there a signal's handler runs before the
 * call does: in Linux it would mostly have come while the call waits, and have ended it. So does it
 * here, if the call is one that handlers end (signal(7)) and would wait: it returns EINTR without
 * having been made. What would change something before it waits (connect(), a lock with
 * inheritance) is left alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "copy.h"
#include "handlers.h"
#include "real.h"

#define USER_END       (1ull << 47)
#define OPERATIONS_MAX 16u /* of semaphores, that are looked at */

/* The instruction `syscall`. The second byte is looked at only if the first is the right one: it
 * may be another page's. */
static bool is_at_call(const ucontext_t *context)
{
	const uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	const uint8_t *code = (const uint8_t *)at;

	return at < USER_END && code[0] == 0x0f && code[1] == 0x05;
}

/* Is there one that is not zero, or none, for ever? */
static bool lasts(long place)
{
	struct timespec time;

	return !place || (posix_copy(&time, (const void *)place, sizeof(time)) &&
			  (time.tv_sec || time.tv_nsec));
}

/* A file of the disk is always ready: what reads or writes it is never interrupted. */
static bool file_waits(long fd, short events)
{
	struct pollfd one = {.fd = (int)fd, .events = events};
	int flags = posix_real.fcntl((int)fd, F_GETFL);

	return flags >= 0 && !(flags & O_NONBLOCK) && !posix_real.poll(&one, 1, 0);
}

static bool reading_waits(long fd)
{
	return file_waits(fd, POLLIN);
}

static bool writing_waits(long fd)
{
	return file_waits(fd, POLLOUT);
}

/* A lock that is not held yet is taken by the question: the call finds it taken by its caller. */
static bool file_lock_waits(long fd, long operation)
{
	return !(operation & LOCK_NB) && posix_real.syscall(SYS_flock, fd, operation | LOCK_NB) &&
	       errno == EWOULDBLOCK;
}

static bool record_lock_waits(long fd, long command, long place)
{
	const int query = command == F_SETLKW ? F_GETLK : F_OFD_GETLK;
	struct flock lock;

	if ((command != F_SETLKW && command != F_OFD_SETLKW) ||
	    !posix_copy(&lock, (const void *)place, sizeof(lock)) || lock.l_type == F_UNLCK)
		return false;
	return !posix_real.fcntl((int)fd, query, &lock) && lock.l_type != F_UNLCK;
}

/* Is there no room in the queue for so many bytes? */
static bool message_waits(long queue, long bytes)
{
	struct msqid_ds now;

	return !posix_real.syscall(SYS_msgctl, queue, (long)IPC_STAT, &now) &&
	       (now.__msg_cbytes + (unsigned long)bytes > now.msg_qbytes ||
		now.msg_qnum >= now.msg_qbytes);
}

/* Would one of the first operations wait by itself? All are done at once, or none. */
static bool semaphores_wait(long set, long place, long count, long timeout)
{
	struct sembuf operations[OPERATIONS_MAX];
	const size_t some = (size_t)count < OPERATIONS_MAX ? (size_t)count : OPERATIONS_MAX;

	if (!lasts(timeout) ||
	    !posix_copy(operations, (const void *)place, some * sizeof(operations[0])))
		return false;
	for (size_t i = 0; i < some; i++) {
		const struct sembuf *one = &operations[i];
		const long value =
			posix_real.syscall(SYS_semctl, set, (long)one->sem_num, (long)GETVAL, 0L);

		if (value >= 0 && !(one->sem_flg & IPC_NOWAIT) &&
		    (one->sem_op ? value + one->sem_op < 0 : value != 0))
			return true;
	}
	return false;
}

/* What is left of a sleep of which nothing has passed: all. */
static bool leave_rest(long asked, long rest)
{
	struct timespec time;

	return !rest || (posix_copy(&time, (const void *)asked, sizeof(time)) &&
			 posix_copy((void *)rest, &time, sizeof(time)));
}

static bool futex_waits(long operation, long timeout)
{
	const long command = operation & FUTEX_CMD_MASK;

	return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && lasts(timeout);
}

/* Of the calls that change nothing before they wait. */
bool posix_call_waits(long number, const long a[5])
{
	switch (number) {
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_futex_waitv:
		return true;
	case SYS_nanosleep:
		return leave_rest(a[0], a[1]);
	case SYS_clock_nanosleep:
		return a[1] & TIMER_ABSTIME || leave_rest(a[2], a[3]);
	case SYS_futex:
		return futex_waits(a[1], a[3]);
	case SYS_poll:
		return a[2] != 0;
	case SYS_ppoll:
	case SYS_rt_sigtimedwait:
		return lasts(a[2]);
	case SYS_select:
	case SYS_pselect6:
		return lasts(a[4]);
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return a[3] != 0;
	case SYS_epoll_pwait2:
		return lasts(a[3]);
	case SYS_wait4:
		return !(a[2] & WNOHANG);
	case SYS_waitid:
		return !(a[3] & WNOHANG);
	case SYS_io_getevents:
		return a[1] && lasts(a[4]);
	case SYS_flock:
		return file_lock_waits(a[0], a[1]);
	case SYS_fcntl:
		return record_lock_waits(a[0], a[1], a[2]);
	case SYS_msgrcv:
		return !(a[4] & IPC_NOWAIT);
	case SYS_msgsnd:
		return !(a[3] & IPC_NOWAIT) && message_waits(a[0], a[2]);
	case SYS_semop:
		return semaphores_wait(a[0], a[1], a[2], 0);
	case SYS_semtimedop:
		return semaphores_wait(a[0], a[1], a[2], a[3]);
	case SYS_recvfrom:
		return !(a[3] & MSG_DONTWAIT) && reading_waits(a[0]);
	case SYS_recvmsg:
		return !(a[2] & MSG_DONTWAIT) && reading_waits(a[0]);
	case SYS_sendto:
		return !(a[3] & MSG_DONTWAIT) && writing_waits(a[0]);
	case SYS_sendmsg:
		return !(a[2] & MSG_DONTWAIT) && writing_waits(a[0]);
	case SYS_read:
	case SYS_readv:
	case SYS_accept:
	case SYS_accept4:
	case SYS_mq_timedreceive:
		return reading_waits(a[0]);
	case SYS_write:
	case SYS_writev:
	case SYS_mq_timedsend:
		return writing_waits(a[0]);
	default:
		return false;
	}
}

void posix_interrupt(ucontext_t *context)
{
	greg_t *const registers = context->uc_mcontext.gregs;
	const int former = errno;

	if (is_at_call(context)) {
		const long arguments[] = {registers[REG_RDI], registers[REG_RSI],
					  registers[REG_RDX], registers[REG_R10],
					  registers[REG_R8]};

		if (posix_call_waits(registers[REG_RAX], arguments)) {
			registers[REG_RAX] = -EINTR;
			registers[REG_RIP] += 2;
		}
	}
	errno = former;
}
