/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for signals. A task waits in primary mode. Another thread of the program hands the signal
 * to it (kill.c). Signals that Linux sends (timers, other processes) are seen by its parked shadow
 * in a signalfd, and the task then goes to Linux to fetch them. A task never waits before it is
 * certain that later signals are reported to it. Source: POSIX.1-2017, sigtimedwait(), sigwait();
 * signalfd(2).
 */
#define _GNU_SOURCE
#include "posix/signal/sigwait.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <tactus/watch.h>

#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/high_fd.h"
#include "posix/state/linux_call.h"
#include "posix/state/mask.h"
#include "posix/state/internal_fds.h"
#include "posix/state/record.h"
#include "posix/timer/timers.h"

/* Signals that Linux may have: for the program, and for the task of each waiter. */
static _Atomic uint64_t for_any;
static _Atomic uint64_t for_waiter[POSIX_WAITERS];

/*
 * The signals that go to Linux for the program are numbered in order. For each signal: the number
 * of the last one, and how many had gone before a look that found none of this signal. A signal may
 * be given directly only if none of its kind is left in Linux: otherwise it could overtake an
 * earlier one of the same thread. Signals for one task are different: the task fetches them before
 * it waits.
 */
static _Atomic uint64_t exported;
static struct {
	_Atomic uint64_t last, looked;
} shared[64];

static void raise_to(_Atomic uint64_t *most, uint64_t number)
{
	uint64_t former = atomic_load(most);

	while (former < number && !atomic_compare_exchange_weak(most, &former, number))
		;
}

static bool is_left(int signal)
{
	return atomic_load(&shared[signal - 1].last) > atomic_load(&shared[signal - 1].looked);
}

/* for_one: sent to the thread number of a task, so that no other thread may get it. */
struct signal_given {
	struct posix_handoff handoff; /* first: the record is found by it */
	siginfo_t info;
	bool for_one;
};

static __thread struct {
	struct tact_watch watch;
	uint64_t served; /* signals that its shadow watches */
	uint64_t left;   /* of these, the ones that were pending at the last look */
	bool watching;
} my __attribute__((tls_model("initial-exec")));

static sigset_t set_of(uint64_t bits)
{
	sigset_t set;

	sigemptyset(&set);
	memcpy(&set, &bits, sizeof(bits));
	return set;
}

void posix_signals_leave(void)
{
	if (my.watching)
		posix_internal_fd_close(my.watch.fd);
	my.watching = false;
	my.served = my.left = 0;
	atomic_store(&for_waiter[posix_me.wait.waiter], 0);
}

/* In secondary mode. False: Linux refuses. */
static bool watch(uint64_t bits)
{
	const sigset_t set = set_of(bits);
	int fd = posix_real.signalfd(my.watching ? my.watch.fd : -1, &set,
				     SFD_CLOEXEC | SFD_NONBLOCK);

	if (fd < 0)
		return false;
	if (my.watching)
		return true;
	fd = posix_high_fd(fd);
	my.watch.fd = fd;
	my.watch.sem = posix_me.wait.parking;
	if (tact_task_watch(&my.watch)) {
		posix_internal_fd_close(fd);
		return false;
	}
	my.watching = true;
	return true;
}

/* What is pending is not reported again. The task is in Linux anyway, so the query costs no
 * switch. */
static void check_kernel_pending(void)
{
	const uint64_t before = atomic_load(&exported);
	uint64_t none = my.served;
	sigset_t pending;

	my.left = 0;
	if (posix_real.sigpending(&pending))
		return;
	my.left = posix_signal_bits(&pending) & my.served;
	for (none &= ~my.left; none; none &= none - 1)
		raise_to(&shared[__builtin_ctzll(none)].looked, before);
}

/*
 * These are not watched again before the task waits for them: a signalfd reports pending signals
 * again with each signal that any thread of the program gets, and each report is a signal, too.
 */
static void leave_out(uint64_t bits)
{
	if (!bits || !watch(my.served & ~bits))
		return;
	my.served &= ~bits;
	my.left &= ~bits;
}

bool posix_signals_prepare(uint64_t bits)
{
	bool denied, done;
	uint64_t blocked;

	if (!bits || !posix_signals_blocked(&blocked) || bits & ~blocked)
		return false;
	posix_timers_prepare(bits);
	if (!(bits & ~my.served))
		return true;
	denied = posix_linux_begin();
	done = watch(bits | my.served);
	if (done) {
		my.served |= bits;
		check_kernel_pending();
	}
	posix_linux_end(denied);
	return done;
}

static bool is_notified(uint64_t bits)
{
	return __atomic_load_n(&my.watch.told, __ATOMIC_SEQ_CST) ||
	       bits & (my.left | atomic_load(&for_any) |
		       atomic_load(&for_waiter[posix_me.wait.waiter]));
}

static bool is_notified_of(void *bits)
{
	return is_notified(*(uint64_t *)bits);
}

/* Take one of these from Linux, without a wait. Returns the signal, or 0. Linux and the senders
 * report later ones, except those that the caller does not await. */
static int fetch(uint64_t bits, uint64_t awaited, siginfo_t *info)
{
	const struct timespec none = {0};
	const sigset_t set = set_of(bits);
	const int former = errno;
	int signal;

	__atomic_store_n(&my.watch.told, 0, __ATOMIC_SEQ_CST);
	atomic_fetch_and(&for_any, ~bits);
	atomic_fetch_and(&for_waiter[posix_me.wait.waiter], ~bits);
	signal = posix_real.sigtimedwait(&set, info, &none);
	check_kernel_pending();
	leave_out(my.left & ~awaited);
	errno = former;
	return signal > 0 ? signal : 0;
}

void posix_signal_went_to_linux(uint32_t waiter, int signal)
{
	const uint64_t bit = posix_signal_bit(signal);

	if (waiter < POSIX_WAITERS) {
		atomic_fetch_or(&for_waiter[waiter], bit);
	} else {
		raise_to(&shared[signal - 1].last, atomic_fetch_add(&exported, 1) + 1);
		atomic_fetch_or(&for_any, bit);
	}
	posix_wait_wake_events(&posix_signals, bit);
}

/*
 * A task that was cancelled after it got a signal leaves the signal to other threads. A signal for
 * this task alone ends with the task, as in Linux.
 */
static void send_on(const void *address, struct posix_handoff *handoff)
{
	struct signal_given *given = (struct signal_given *)handoff;

	(void)address;
	if (!given || given->for_one || posix_signal_give(POSIX_WAITERS, &given->info))
		return;
	(void)posix_real.syscall(SYS_rt_sigqueueinfo, getpid(), given->info.si_signo, &given->info);
	posix_signal_went_to_linux(POSIX_WAITERS, given->info.si_signo);
}

static bool has_passed(tact_timeout_t timeout)
{
	return timeout.kind != TACT_TIMEOUT_FOREVER && timeout.ns <= tact_now().ns;
}

/*
 * Take a signal that is there, the lowest number first, as POSIX requires; 0: none. If Linux and a
 * timer have the same signal, Linux's comes first.
 */
static int take(uint64_t bits, siginfo_t *info)
{
	const int due = posix_timer_due(bits);
	/* The signals up to this one. */
	const uint64_t first = due ? posix_signal_bit(due) * 2 - 1 : UINT64_MAX;
	int result = 0;

	if (is_notified(bits & first))
		result = fetch(bits & first, bits, info);
	return result ? result : posix_timer_take(bits, info);
}

int posix_signals_wait(uint64_t bits, siginfo_t *info, tact_timeout_t timeout)
{
	struct signal_given given = {.handoff.arrived = false};

	for (;;) {
		int result = take(bits, info);
		tact_timeout_t next;

		if (result)
			return result;
		if (!posix_wait_join_for(&posix_signals, bits, &given.handoff))
			return -ENOMEM;
		/* From here on a thread that sets a timer wakes the caller. */
		next = posix_timer_next(bits);
		if (next.kind == TACT_TIMEOUT_FOREVER ||
		    (timeout.kind != TACT_TIMEOUT_FOREVER && timeout.ns < next.ns))
			next = timeout;
		result = posix_wait_sleep_notified(is_notified_of, &bits, next, send_on);
		if (!result && given.handoff.arrived) {
			*info = given.info;
			return given.info.si_signo;
		}
		if (result == -TACT_ETIMEDOUT && !is_notified(bits) && has_passed(timeout)) {
			result = take(bits, info);
			return result ? result : -EAGAIN;
		}
		if (result == -TACT_EINTR)
			return -EINTR;
	}
}

static void copy(struct posix_handoff *handoff, const void *from)
{
	memcpy(handoff, from, sizeof(struct signal_given));
}

bool posix_signal_give(uint32_t waiter, const siginfo_t *info)
{
	const struct posix_kernel_pending kernel_pending = {&for_any, for_waiter};
	const struct signal_given given = {.info = *info, .for_one = waiter != POSIX_WAITERS};

	return (given.for_one || !is_left(info->si_signo)) &&
	       posix_wait_give(&posix_signals, waiter, posix_signal_bit(info->si_signo),
			       &kernel_pending, copy, &given);
}
