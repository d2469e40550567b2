/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signal masks. Linux has them; only a call that would change nothing is answered here. A thread
 * that unblocks signals, or asks Linux for them, first exports the timers of these signals
 * (timer_registry.c). Source: POSIX.1-2017, pthread_sigmask(), sigsuspend(), sigpending();
 * signalfd(2).
 */
#define _GNU_SOURCE
#include "posix/signal/masks.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/libc/fence.h"
#include "posix/libc/real.h"
#include "posix/signal/sigwait.h"
#include "posix/state/half.h"
#include "posix/state/mask.h"
#include "posix/state/mask_cells.h"
#include "posix/state/record.h"
#include "posix/state/signal_bits.h"
#include "posix/state/vfork_child.h"
#include "posix/timer/timers.h"

static uint64_t bits_of(const sigset_t *set)
{
	return set ? posix_signal_bits(set) : 0;
}

/* The signals that the caller blocks, as exactly as it is known without an unnecessary call of
 * Linux. */
static uint64_t blocked_now(void)
{
	if (__builtin_expect(!posix_mask_cell_is_sure(posix_me.mask), 0))
		posix_mask_look();
	return atomic_load_explicit(&posix_me.mask->blocked, memory_order_relaxed);
}

/* Would the call change nothing? Before each wait, many programs block signals that are already
 * blocked. */
static __attribute__((noinline)) bool is_so_for_task(int how, const sigset_t *set, sigset_t *former)
{
	uint64_t bits, now;

	if (!posix_is_task() || tact_mode() != TACT_MODE_PRIMARY || !posix_signals_blocked(&now))
		return false;
	bits = bits_of(set);
	if (set && !(how == SIG_BLOCK && !(bits & ~now)) &&
	    !(how == SIG_UNBLOCK && !(bits & now)) && !(how == SIG_SETMASK && bits == now))
		return false;
	/* If the address is invalid, Linux refuses the call, and writes no more than this. */
	return !former || posix_safe_copy(former, &now, sizeof(now));
}

/* Kept out of the way of plain threads, whose calls must cost almost nothing more. */
static inline bool is_so_already(int how, const sigset_t *set, sigset_t *former)
{
	return __builtin_expect(atomic_load_explicit(&posix_me.state, memory_order_relaxed) !=
					POSIX_PLAIN,
				0) &&
	       is_so_for_task(how, set, former);
}

static inline uint64_t changed(uint64_t former, int how, uint64_t bits)
{
	if (how == SIG_BLOCK)
		return former | bits;
	return how == SIG_UNBLOCK ? former & ~bits : bits;
}

static void let_in(uint64_t known, uint64_t next)
{
	atomic_store(&posix_me.mask->blocked, known & next);
	posix_timers_to_linux(known & ~next);
}

typedef int change_function(int how, const sigset_t *set, sigset_t *former);

/* An unblocked signal is noted before the change, a blocked one after it. */
static __attribute__((noinline)) int change_beside_timers(change_function *real, int how,
							  const sigset_t *set, sigset_t *former)
{
	const uint64_t known = blocked_now();
	const uint64_t bits = bits_of(set);
	uint64_t next = changed(known, how, bits);
	int result;

	if (known & ~next)
		let_in(known, next);
	result = real(how, set, former);
	/* The note may have been wrong: at the end of a handler, by siglongjmp(). */
	if (!result && former)
		next = changed(posix_signal_bits(former), how, bits);
	if (result)
		next = known;
	if (next != atomic_load_explicit(&posix_me.mask->blocked, memory_order_relaxed))
		atomic_store_explicit(&posix_me.mask->blocked, next, memory_order_release);
	return result;
}

/*
 * real: one of the two functions of the C library. In a program that never made a timer, no thread
 * reads the note yet. A thread that makes the first timer sees what is stored here, or this thread
 * sees the timer and takes the note back. Linux's function returns directly to the caller: a return
 * to this library after a call of Linux would cost as much as all the rest.
 */
static inline int change(change_function *real, int how, const sigset_t *set, sigset_t *former)
{
	uint64_t known;

	/* The mask of a vfork's child is not its parent's. */
	if (!set || posix_is_vfork_child())
		return real(how, set, former);
	if (__builtin_expect(posix_timers_made() || (unsigned)how > SIG_SETMASK, 0))
		return change_beside_timers(real, how, set, former);
	known = atomic_load_explicit(&posix_me.mask->blocked, memory_order_relaxed);
	atomic_store_explicit(&posix_me.mask->blocked, changed(known, how, bits_of(set)),
			      memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(posix_timers_made(), 0)) {
		atomic_store(&posix_me.mask->blocked, known);
		return change_beside_timers(real, how, set, former);
	}
	return real(how, set, former);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *former)
{
	return is_so_already(how, set, former)
		       ? 0
		       : change(posix_real.pthread_sigmask, how, set, former);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *former)
{
	return is_so_already(how, set, former) ? 0
					       : change(posix_real.sigprocmask, how, set, former);
}

uint64_t posix_mask_admit(const sigset_t *mask)
{
	uint64_t bits;

	if (!mask || !posix_startable() || !posix_signals_named(mask, &bits))
		return 0;
	return posix_mask_let_in(~bits);
}

/* A full barrier if timers have been made: see posix_timer_take_place(). */
uint64_t posix_mask_let_in(uint64_t signals)
{
	uint64_t blocked;

	if (posix_is_vfork_child())
		return 0;
	blocked = blocked_now();
	if (blocked & signals) {
		atomic_store_explicit(&posix_me.mask->blocked, blocked & ~signals,
				      memory_order_release);
		(void)posix_fence(&posix_timers_domain.fence);
	}
	posix_timers_to_linux(signals);
	return blocked & signals;
}

void posix_mask_admitted(void *bits)
{
	const uint64_t held_back = *(const uint64_t *)bits;

	if (held_back)
		atomic_store_explicit(
			&posix_me.mask->blocked,
			atomic_load_explicit(&posix_me.mask->blocked, memory_order_relaxed) |
				held_back,
			memory_order_release);
}

int sigsuspend(const sigset_t *mask)
{
	const long arguments[6] = {(long)mask, sizeof(uint64_t)};
	uint64_t admitted;
	int result;

	posix_call_begins();
	admitted = posix_mask_admit(mask);
	pthread_cleanup_push(posix_mask_admitted, &admitted);
	result = posix_call_tried_in_call(SYS_rt_sigsuspend, arguments) == POSIX_CALL_GOES_ON
			 ? posix_real.sigsuspend(mask)
			 : posix_fail(EINTR);
	pthread_cleanup_pop(1);
	return result;
}

int sigpending(sigset_t *set)
{
	posix_timers_to_linux(UINT64_MAX);
	return posix_real.sigpending(set);
}

int signalfd(int fd, const sigset_t *mask, int flags)
{
	uint64_t bits;

	if (!posix_from_tactus(__builtin_return_address(0)) && posix_signals_named(mask, &bits))
		posix_timers_pin(bits);
	return posix_real.signalfd(fd, mask, flags);
}
