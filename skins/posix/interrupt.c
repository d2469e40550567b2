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
#include <sys/ipc.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "copy.h"
#include "handlers.h"
#include "real.h"

#define USER_END (1ull << 47)

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

/* Whoever reads files of the disk is never interrupted: they are always ready. */
static bool has_to_wait(long fd)
{
	struct pollfd one = {.fd = (int)fd, .events = POLLIN};
	int flags = posix_real.fcntl((int)fd, F_GETFL);

	return flags >= 0 && !(flags & O_NONBLOCK) && !posix_real.poll(&one, 1, 0);
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
	case SYS_msgrcv:
		return !(a[4] & IPC_NOWAIT);
	case SYS_io_getevents:
		return a[1] && lasts(a[4]);
	case SYS_recvfrom:
		return !(a[3] & MSG_DONTWAIT) && has_to_wait(a[0]);
	case SYS_recvmsg:
		return !(a[2] & MSG_DONTWAIT) && has_to_wait(a[0]);
	case SYS_read:
	case SYS_readv:
	case SYS_accept:
	case SYS_accept4:
	case SYS_mq_timedreceive:
		return has_to_wait(a[0]);
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
