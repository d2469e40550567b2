/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Futexes by syscall(), of which runtimes of C++, Rust and others build their own locks. A task
 * waits at a private futex in primary mode, and a wake-up by the same call finds it. A program may
 * also wake it by a system call instruction of its own, which is not seen here. So the task looks
 * at the word from time to time. Every other operation is done by Linux, and wakes tasks too.
 * Source: futex(2).
 */
#define _GNU_SOURCE
#include "posix/park/futex_call.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/libc/clock.h"
#include "posix/libc/fence.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/linux_call.h"

#define PAGE    4096u
#define LOOK_NS 20000000u /* until the word is looked at again */

static struct posix_fence waking;

static long pass_on(const long arguments[6])
{
	return posix_real.syscall(SYS_futex, arguments[0], arguments[1], arguments[2], arguments[3],
				  arguments[4], arguments[5]);
}

/* False: the time is not valid, which Linux is to report. */
static bool find_deadline(const long arguments[6], tact_timeout_t *until)
{
	const bool absolute = (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
	struct timespec time;

	if (!arguments[3]) {
		*until = TACT_FOREVER;
		return true;
	}
	if (!posix_safe_copy(&time, (const void *)arguments[3], sizeof(time)) ||
	    !posix_time_is_valid(&time))
		return false;
	if (absolute)
		*until = posix_instant(arguments[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME
									   : CLOCK_MONOTONIC,
				       &time);
	else
		*until = tact_at(tact_time_add(tact_now(), posix_ns(&time)));
	return true;
}

/* False: the word cannot be read. */
static bool look_at(const void *word, uint32_t *value)
{
	const bool there = posix_safe_copy(value, word, sizeof(*value));

	atomic_thread_fence(memory_order_seq_cst);
	return there;
}

/* A word that is not mapped any more has changed, too. */
static bool has_changed(const void *word, uint32_t from)
{
	uint32_t now;

	return !look_at(word, &now) || now != from;
}

static bool is_before(tact_time_t instant, tact_timeout_t until)
{
	return until.kind == TACT_TIMEOUT_FOREVER || instant.ns < until.ns;
}

/* 0, -TACT_ETIMEDOUT or -TACT_EINTR. */
static int sleep_and_look(_Atomic uint32_t *word, uint32_t value, tact_timeout_t until)
{
	for (;;) {
		tact_time_t look = tact_time_add(tact_now(), LOOK_NS);
		_Atomic uint32_t *place;
		int result;

		if (!is_before(look, until))
			return posix_wait_sleep(until, POSIX_WAIT_SIGNALS, NULL);
		result = posix_wait_sleep(tact_at(look), POSIX_WAIT_SIGNALS | POSIX_WAIT_STAYS,
					  NULL);
		if (result != -TACT_ETIMEDOUT)
			return result;
		place = (_Atomic uint32_t *)posix_wait_address();
		/* The wait was moved: from now on the other word counts, with its present value. */
		if (place != word) {
			word = place;
			(void)look_at(word, &value);
		}
		if (has_changed(word, value)) {
			(void)posix_wait_leave();
			return 0;
		}
	}
}

/* The word has another value than expected, or cannot be read: return Linux's error. */
static long leave(const void *word)
{
	uint32_t now;

	if (posix_wait_leave())
		return 0;
	return posix_fail(look_at(word, &now) ? EAGAIN : ENOMEM);
}

/* As FUTEX_WAIT; -1 with ENOMEM: it has to wait in Linux. */
static long wait_as_task(_Atomic uint32_t *word, uint32_t value, tact_timeout_t until)
{
	for (;;) {
		uint32_t now;
		int result;

		if (!posix_wait_join(word))
			return posix_fail(ENOMEM);
		if (!look_at(word, &now) || now != value)
			return leave(word);
		result = sleep_and_look(word, value, until);
		if (!result)
			return 0;
		if (result == -TACT_ETIMEDOUT)
			return has_changed(word, value) ? 0 : posix_fail(ETIMEDOUT);
		if (until.kind != TACT_TIMEOUT_FOREVER || !posix_signals_restart())
			return posix_fail(EINTR);
		if (has_changed(word, value))
			return 0;
	}
}

/* For an address that cannot be a word, Linux returns the error. */
static bool is_served(const long arguments[6])
{
	uintptr_t word = (uintptr_t)arguments[0];

	return arguments[1] & FUTEX_PRIVATE_FLAG && word >= PAGE && word % sizeof(uint32_t) == 0 &&
	       ((arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT ||
		(uint32_t)arguments[5] == FUTEX_BITSET_MATCH_ANY);
}

/* A thread that wanted to wake a task before this, and saw no waiter, has changed the word
 * already. */
static bool can_be_woken(void)
{
	const bool denied = posix_linux_begin();
	const bool done = posix_fence_begin(&waking);

	posix_linux_end(denied);
	return done;
}

static long wait_in_linux(const long arguments[6])
{
	const long tried = posix_call_tried_in_call(SYS_futex, arguments);

	return tried == POSIX_CALL_GOES_ON ? pass_on(arguments) : posix_call_return(tried);
}

static long wait(const long arguments[6])
{
	_Atomic uint32_t *word = (_Atomic uint32_t *)arguments[0];
	const int former = errno;
	tact_timeout_t until;
	long result;

	posix_call_begins();
	if (!is_served(arguments) || !posix_call_is_tasks_wait() ||
	    !find_deadline(arguments, &until) || !can_be_woken())
		return wait_in_linux(arguments);
	result = wait_as_task(word, (uint32_t)arguments[2], until);
	if (result && errno == ENOMEM)
		result = wait_in_linux(arguments);
	if (!result)
		errno = former;
	return result;
}

/* The fence is the full barrier that posix_wait_wake() requires, as the caller may have changed the
 * object by a plain store. */
static bool may_wake_tasks(long address)
{
	posix_fence(&waking);
	return posix_wait_is_likely((const void *)address);
}

static unsigned wake_tasks(long address, unsigned most)
{
	return may_wake_tasks(address) ? posix_wait_wake_some((const void *)address, most) : 0;
}

/* Tasks are woken first, and Linux threads with the rest of the number. */
static long wake(const long arguments[6])
{
	int most = (int)arguments[2];
	unsigned woken;
	long result;

	if (most <= 0 || !(arguments[1] & FUTEX_PRIVATE_FLAG) || !may_wake_tasks(arguments[0]))
		return pass_on(arguments);
	woken = posix_wait_wake_some((const void *)arguments[0], (unsigned)most);
	if (woken == (unsigned)most)
		return most;
	result = posix_real.syscall(SYS_futex, arguments[0], arguments[1], most - (int)woken,
				    arguments[3], arguments[4], arguments[5]);
	return result < 0 ? result : result + (long)woken;
}

/* FUTEX_REQUEUE and FUTEX_CMP_REQUEUE: tasks first, as in wake(). The number to move is
 * in the place of the timeout. Linux counts both in its result, whatever its manual says of
 * FUTEX_REQUEUE. */
static long requeue(const long arguments[6])
{
	const void *word = (const void *)arguments[0];
	const bool compares = (arguments[1] & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE;
	const int wakes = (int)arguments[2];
	const int moves = (int)arguments[3];
	unsigned woken, moved;
	long result;

	if (!(arguments[1] & FUTEX_PRIVATE_FLAG) || wakes < 0 || moves < 0 ||
	    !may_wake_tasks(arguments[0]) ||
	    (compares && has_changed(word, (uint32_t)arguments[5])))
		return pass_on(arguments);
	woken = wake_tasks(arguments[0], (unsigned)wakes);
	moved = posix_wait_move((const void *)arguments[0], (const void *)arguments[4],
				(unsigned)moves);
	result = posix_real.syscall(SYS_futex, arguments[0], arguments[1], wakes - (int)woken,
				    moves - (int)moved, arguments[4], arguments[5]);
	if (result < 0 && !woken && !moved)
		return result;
	return (result < 0 ? 0 : result) + (long)(woken + moved);
}

/*
 * FUTEX_CMP_REQUEUE_PI: only threads that wait in Linux, by FUTEX_WAIT_REQUEUE_PI, may be moved.
 * Tasks here wait by another operation, which Linux refuses if it sees such waiters.
 */
static long requeue_to_lock(const long arguments[6])
{
	const void *word = (const void *)arguments[0];

	if (arguments[1] & FUTEX_PRIVATE_FLAG && posix_wait_is_awaited(word) &&
	    !has_changed(word, (uint32_t)arguments[5]))
		return posix_fail(EINVAL);
	return pass_on(arguments);
}

/* FUTEX_WAKE_OP. Only Linux knows whether waiters of the second word are to be woken. So all tasks
 * that wait there look again, as after a needless wake-up. */
static long wake_both(const long arguments[6])
{
	const int most = (int)arguments[2];
	long result = pass_on(arguments);

	if (result < 0 || !(arguments[1] & FUTEX_PRIVATE_FLAG))
		return result;
	if (most > 0)
		result += (long)wake_tasks(arguments[0], (unsigned)most);
	(void)wake_tasks(arguments[4], INT_MAX);
	return result;
}

bool posix_futex_is_linuxs(long word, long operation)
{
	const long command = operation & FUTEX_CMD_MASK;

	return (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) && !may_wake_tasks(word);
}

long posix_futex(const long arguments[6])
{
	switch (arguments[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return wait(arguments);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return wake(arguments);
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return requeue(arguments);
	case FUTEX_CMP_REQUEUE_PI:
		return requeue_to_lock(arguments);
	case FUTEX_WAKE_OP:
		return wake_both(arguments);
	default:
		return pass_on(arguments);
	}
}
