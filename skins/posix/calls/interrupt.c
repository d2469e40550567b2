/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of Linux that a handler interrupts just before they begin. A task that calls Linux first
 * goes to its shadow, which takes some 10 us, and the handler of a signal runs there before the
 * call. In Linux the signal would mostly come while the call waits, and end it. So the handler ends
 * the call here, too, if it is one that this handler ends (signal(7)). In Linux a handler ends only
 * a wait. So the call is made without a wait: if it does not need to wait, it returns its result,
 * otherwise EINTR.
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

/* Is this the instruction `syscall`? The second byte is read only if the first one matches: it may
 * be in another page, which may not exist. */
static bool is_at_call(const ucontext_t *context)
{
	const uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	const uint8_t *code = (const uint8_t *)at;

	return at < USER_END && code[0] == 0x0f && code[1] == 0x05;
}

/* Is there a time that Linux accepts, and that is not zero? */
static bool lasts(long place)
{
	struct timespec time;

	return posix_safe_copy(&time, (const void *)place, sizeof(time)) &&
	       posix_time_is_valid(&time) && (time.tv_sec || time.tv_nsec);
}

/* The same; true, too, if there is none, which means for ever. */
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

/* The rest of a sleep that has not begun is all of it. */
static bool leave_rest(long asked, long rest)
{
	struct timespec time;

	return !rest || (posix_safe_copy(&time, (const void *)asked, sizeof(time)) &&
			 posix_safe_copy((void *)rest, &time, sizeof(time)));
}

/* Does Linux accept the clock? It checks this before it sleeps. */
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

/* Does the mask of the wait let one of the handled signals in? If not, they came before the
 * wait. */
static bool lets_in(long mask, uint64_t handled)
{
	uint64_t bits;

	return !mask ||
	       (posix_safe_copy(&bits, (const void *)mask, sizeof(bits)) && handled & ~bits);
}

/* The same for a mask with its size. */
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

/* First the calls that any handler ends, then the calls that continue after a handler of
 * SA_RESTART. */
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

/* If Linux hands back the calls of a thread, they are not made here. */
void posix_interrupt(ucontext_t *context, int signal, bool ending)
{
	if (is_at_call(context) && !(posix_me.follow.unfit & POSIX_DISPATCHES))
		interrupt(context->uc_mcontext.gregs, signal, ending);
}
