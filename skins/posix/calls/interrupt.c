/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of Linux's that a handler interrupts just before they begin. A task's goes from primary
 * mode to its shadow first, which takes some 10 us, and there a signal's handler runs before the
 * call does: in Linux it would mostly have come while the call waits, and have ended it. So does it
 * here, if the call is one that this handler ends (signal(7)). In Linux only a wait is ended: the
 * call is made without one, and what it gives is its result; EINTR is for what would have waited.
 */
#define _GNU_SOURCE
#include "posix/calls/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/state/record.h"

#define USER_END (1ull << 47)

/* The instruction `syscall`. The second byte is looked at only if the first is the right one: it
 * may be another page's. */
static bool is_at_call(const ucontext_t *context)
{
	const uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	const uint8_t *code = (const uint8_t *)at;

	return at < USER_END && code[0] == 0x0f && code[1] == 0x05;
}

/* Is there one that Linux takes, and not zero? */
static bool lasts(long place)
{
	struct timespec time;

	return posix_safe_copy(&time, (const void *)place, sizeof(time)) &&
	       posix_time_is_valid(&time) && (time.tv_sec || time.tv_nsec);
}

/* The same, or none, for ever. */
static bool lasts_or_is_none(long place)
{
	return !place || lasts(place);
}

/* An instant that has passed ends a wait before any signal does. */
bool posix_call_is_ahead(clockid_t clock, const struct timespec *instant)
{
	struct timespec now, time;

	return posix_safe_copy(&time, instant, sizeof(time)) && posix_time_is_valid(&time) &&
	       !posix_real.clock_gettime(clock, &now) &&
	       (time.tv_sec > now.tv_sec ||
		(time.tv_sec == now.tv_sec && time.tv_nsec > now.tv_nsec));
}

static bool is_ahead(long clock, long place)
{
	return posix_call_is_ahead((clockid_t)clock, (const struct timespec *)place);
}

/* What is left of a sleep of which nothing has passed: all. */
static bool leave_rest(long asked, long rest)
{
	struct timespec time;

	return !rest || (posix_safe_copy(&time, (const void *)asked, sizeof(time)) &&
			 posix_safe_copy((void *)rest, &time, sizeof(time)));
}

/* Linux looks at the clock's number before it sleeps. */
static bool can_sleep_by(long clock)
{
	const struct timespec past = {0};

	return !posix_tried_make(SYS_clock_nanosleep, clock, TIMER_ABSTIME, (long)&past, 0, 0, 0);
}

static long sleep_by(long clock, long flags, long asked, long rest)
{
	const bool sleeps = flags & TIMER_ABSTIME ? is_ahead(clock, asked)
						  : lasts(asked) && can_sleep_by(clock) &&
							    leave_rest(asked, rest);

	return sleeps ? -EINTR : POSIX_CALL_GOES_ON;
}

static bool futex_lasts(long operation, long timeout)
{
	const long clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;

	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		return lasts_or_is_none(timeout);
	case FUTEX_WAIT_BITSET:
		return !timeout || is_ahead(clock, timeout);
	default:
		return false;
	}
}

/* Does the mask with which it waits let one of the handled signals in? If not, they came before. */
static bool lets_in(long mask, uint64_t handled)
{
	uint64_t bits;

	return !mask ||
	       (posix_safe_copy(&bits, (const void *)mask, sizeof(bits)) && handled & ~bits);
}

/* The same of a mask and its size. */
static bool sized_lets_in(long place, uint64_t handled)
{
	uint64_t words[2];

	return !place || (posix_safe_copy(words, (const void *)place, sizeof(words)) &&
			  lets_in((long)words[0], handled));
}

static long try_if(bool waits, long number, const long a[6])
{
	return waits ? posix_tried(number, a) : POSIX_CALL_GOES_ON;
}

/* Those that any handler ends, and then those that go on after one of SA_RESTART. */
static long tried(long number, const long a[6], uint64_t handled, bool ending)
{
	switch (number) {
	case SYS_pause:
		return -EINTR;
	case SYS_rt_sigsuspend:
		return a[0] && lets_in(a[0], handled) ? -EINTR : POSIX_CALL_GOES_ON;
	case SYS_nanosleep:
		return sleep_by(CLOCK_MONOTONIC, 0, a[0], a[1]);
	case SYS_clock_nanosleep:
		return sleep_by(a[0], a[1], a[2], a[3]);
	case SYS_poll:
		return try_if(a[2] != 0, number, a);
	case SYS_ppoll:
		return try_if(lasts_or_is_none(a[2]) && lets_in(a[3], handled), number, a);
	case SYS_rt_sigtimedwait:
		return try_if(lasts_or_is_none(a[2]), number, a);
	case SYS_select:
		return try_if(lasts_or_is_none(a[4]), number, a);
	case SYS_pselect6:
		return try_if(lasts_or_is_none(a[4]) && sized_lets_in(a[5], handled), number, a);
	case SYS_epoll_wait:
		return try_if(a[3] != 0, number, a);
	case SYS_epoll_pwait:
		return try_if(a[3] != 0 && lets_in(a[4], handled), number, a);
	case SYS_epoll_pwait2:
		return try_if(lasts_or_is_none(a[3]) && lets_in(a[4], handled), number, a);
	case SYS_io_getevents:
		return try_if(a[1] && lasts_or_is_none(a[4]), number, a);
	case SYS_io_pgetevents:
		return try_if(a[1] && lasts_or_is_none(a[4]) && sized_lets_in(a[5], handled),
			      number, a);
	case SYS_msgrcv:
	case SYS_msgsnd:
	case SYS_semop:
		return posix_tried(number, a);
	case SYS_semtimedop:
		return try_if(lasts_or_is_none(a[3]), number, a);
	case SYS_futex:
		return try_if((ending || a[3]) && futex_lasts(a[1], a[3]), number, a);
	case SYS_futex_waitv:
		return try_if((ending || a[3]) && (!a[3] || is_ahead(a[4], a[3])), number, a);
	case SYS_wait4:
		return try_if(ending && !(a[2] & WNOHANG), number, a);
	case SYS_waitid:
		return try_if(ending && !(a[3] & WNOHANG), number, a);
	case SYS_mq_timedreceive:
	case SYS_mq_timedsend:
		return try_if(ending && (!a[4] || is_ahead(CLOCK_REALTIME, a[4])), number, a);
	default:
		return try_if(ending, number, a);
	}
}

long posix_call_tried(long number, const long a[6], uint64_t handled, bool ending)
{
	const int former = errno;
	const long result = tried(number, a, handled, ending);

	errno = former;
	return result;
}

static void interrupt(greg_t *registers, int signal, bool ending)
{
	const long arguments[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
				   registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
	const long result =
		posix_call_tried(registers[REG_RAX], arguments, 1ull << (signal - 1), ending);

	if (result == POSIX_CALL_GOES_ON)
		return;
	registers[REG_RAX] = result;
	registers[REG_RIP] += 2;
}

/* The calls of a thread that has them handed back are not ours to make. */
void posix_interrupt(ucontext_t *context, int signal, bool ending)
{
	if (is_at_call(context) && !(posix_me.follow.unfit & POSIX_DISPATCHES))
		interrupt(context->uc_mcontext.gregs, signal, ending);
}
