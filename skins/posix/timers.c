/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * POSIX timers. Linux makes them; one whose signal all who could get it have blocked need not run
 * there: a task that waits for the signal sleeps until the instant, and is its timer itself. What
 * nobody waits for is pending here, a fact that lies in the clock. Before Linux is asked in any way
 * that could tell, it gets the timer with the first expiry that was not accepted, and counts from
 * there. Source: POSIX.1-2017, timer_settime(), timer_getoverrun(); timer_create(2).
 */
#define _GNU_SOURCE
#include "timers.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "grid.h"
#include "masks.h"
#include "real.h"
#include "sigwait.h"
#include "summary.h"
#include "thread.h"
#include "wait.h"

#define TIMERS 64u

struct timer {
	_Atomic uint32_t taken; /* 1: being made, 2: there */
	timer_t id;
	int signal; /* 0: none (SIGEV_NONE) */
	pid_t tid;  /* whose it is, or 0: the program's */
	union sigval value;
	struct posix_grid grid;
	_Atomic int overruns; /* before what was accepted last */
};

static struct timer timers[TIMERS];
_Atomic uint32_t posix_timers_used;
static _Atomic uint64_t never;
static _Atomic uint32_t outside[64]; /* who waits for each signal in Linux */
_Atomic uint64_t posix_timer_signals;

static struct timer *find(timer_t id)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (atomic_load(&timers[i].taken) == 2 && timers[i].id == id)
			return &timers[i];
	return NULL;
}

static struct timer *take_place(void)
{
	for (uint32_t i = 0; i < TIMERS; i++) {
		uint32_t nobody = 0, used = i;

		if (!atomic_compare_exchange_strong(&timers[i].taken, &nobody, 1))
			continue;
		(void)atomic_compare_exchange_strong(&posix_timers_used, &used, i + 1);
		return &timers[i];
	}
	return NULL;
}

static bool is_here(const struct timer *timer)
{
	return atomic_load(&timer->taken) == 2 && posix_grid_is_here(&timer->grid);
}

static uint64_t bit_of(const struct timer *timer)
{
	return timer->signal ? posix_signal_bit(timer->signal) : 0;
}

/* May the calling thread get its signal? */
static bool is_mine(const struct timer *timer, uint64_t bits)
{
	return bits & bit_of(timer) && (!timer->tid || timer->tid == posix_me.tid);
}

/*
 * A timer's signal cannot be delivered while every thread that it is for blocks it. The calling
 * task's own mask is known as it is; the others' as they set them.
 */
static bool is_blocked(const struct timer *timer)
{
	const uint64_t bit = bit_of(timer);
	uint64_t blocked;

	if (!bit)
		return true;
	if ((!timer->tid || timer->tid == posix_me.tid) && posix_is_task()) {
		if (!posix_signals_blocked(&blocked) || !(blocked & bit))
			return false;
		if (timer->tid)
			return true;
	}
	return timer->tid ? posix_thread_blocks(timer->tid, bit) : posix_threads_all_block(bit);
}

/* One that is due, and has not sent its signal yet, has a nanosecond left: timer_gettime(2). */
static bool has_expired(const void *place)
{
	const struct timer *timer = place;
	struct itimerspec left;

	return posix_real.timer_gettime(timer->id, &left) || left.it_value.tv_sec ||
	       left.it_value.tv_nsec != 1;
}

static void hand_back(struct timer *timer)
{
	const int former = errno;
	struct itimerspec times;
	bool denied;

	if (!posix_grid_give_back(&timer->grid, &times))
		return;
	denied = posix_linux_begin();
	if (!posix_real.timer_settime(timer->id, TIMER_ABSTIME, &times, NULL))
		posix_grid_await(&timer->grid, &times, has_expired, timer);
	posix_linux_end(denied);
	errno = former;
}

void posix_timers_hand_back(uint64_t bits)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (is_here(&timers[i]) && is_mine(&timers[i], bits))
			hand_back(&timers[i]);
}

void posix_timers_leave(void)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (is_here(&timers[i]) && timers[i].tid == posix_me.tid)
			hand_back(&timers[i]);
}

void posix_timers_never(uint64_t bits)
{
	atomic_fetch_or(&never, bits);
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (is_here(&timers[i]) && bits & bit_of(&timers[i]))
			hand_back(&timers[i]);
}

/* Dekker with begin_here(): who sets a timer here afterwards sees it, or it is given back. */
void posix_timers_outside(uint64_t bits)
{
	for (uint64_t left = bits; left; left &= left - 1)
		atomic_fetch_add(&outside[__builtin_ctzll(left)], 1);
}

void posix_timers_inside(uint64_t bits)
{
	for (; bits; bits &= bits - 1)
		atomic_fetch_sub(&outside[__builtin_ctzll(bits)], 1);
}

void posix_timers_forget(void)
{
	for (uint32_t i = 0; i < TIMERS; i++)
		atomic_store(&timers[i].taken, 0);
	atomic_store(&posix_timers_used, 0);
	atomic_store(&posix_timer_signals, 0);
}

static bool can_be_here(const struct timer *timer)
{
	return !(atomic_load(&never) & bit_of(timer)) &&
	       !(timer->signal && atomic_load(&outside[timer->signal - 1])) && is_blocked(timer);
}

/* Who unblocks its signal says so before it looks whether there is one here. */
static void begin_here(struct timer *timer, bool absolute, const struct itimerspec *times)
{
	atomic_fetch_or(&posix_timer_signals, bit_of(timer));
	posix_grid_set(&timer->grid, absolute, times);
	if (!can_be_here(timer))
		hand_back(timer);
}

static bool is_pending(int signal)
{
	sigset_t pending;

	return posix_real.sigpending(&pending) || sigismember(&pending, signal);
}

/*
 * From Linux to here, unless a signal of its is pending there. An expiry in the moment between
 * looking and stopping is kept by the grid, where Linux forgot it.
 */
static void fetch(struct timer *timer)
{
	uint64_t now_ns = posix_grid_now(&timer->grid);
	const struct itimerspec none = {0};
	struct itimerspec left;

	if (posix_grid_is_doubtful(&timer->grid, now_ns) || is_pending(timer->signal) ||
	    posix_real.timer_gettime(timer->id, &left) ||
	    (!left.it_value.tv_sec && !left.it_value.tv_nsec) ||
	    posix_real.timer_settime(timer->id, 0, &none, NULL))
		return;
	if (is_pending(timer->signal))
		now_ns = posix_grid_now(&timer->grid);
	left.it_value = posix_timespec(posix_grid_noted(&timer->grid, now_ns));
	begin_here(timer, true, &left);
}

void posix_timers_prepare(uint64_t bits)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		struct timer *timer = &timers[i];
		bool denied;

		/* One that Linux does not run may as well stay there until it is set. */
		if (atomic_load(&timer->taken) != 2 || is_here(timer) || !is_mine(timer, bits) ||
		    !atomic_load(&timer->grid.set_ns) || !can_be_here(timer))
			continue;
		denied = posix_linux_begin();
		fetch(timer);
		posix_linux_end(denied);
	}
}

tact_timeout_t posix_timer_next(uint64_t bits)
{
	tact_timeout_t next = TACT_FOREVER;

	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		tact_timeout_t at;

		if (!is_here(&timers[i]) || !is_mine(&timers[i], bits) ||
		    !posix_grid_instant(&timers[i].grid, &at))
			continue;
		if (next.kind == TACT_TIMEOUT_FOREVER || at.ns < next.ns)
			next = at;
	}
	return next;
}

/* Several wait for it, or it is set meanwhile: only one gets this expiry. */
static bool accept_expiry(struct timer *timer, siginfo_t *info)
{
	uint64_t count, first_ns;

	if (!posix_grid_accept(&timer->grid, &count, &first_ns))
		return false;
	atomic_store(&timer->overruns, (int)(count - 1));
	if (posix_summary_wanted)
		posix_summary_slept(first_ns, posix_grid_now(&timer->grid));
	memset(info, 0, sizeof(*info));
	info->si_signo = timer->signal;
	info->si_code = SI_TIMER;
	info->si_timerid = (int)(intptr_t)timer->id;
	info->si_overrun = (int)(count - 1);
	info->si_value = timer->value;
	return true;
}

/* Of several the one with the lowest signal, and of those the earliest, as POSIX has it. */
static struct timer *first_due(uint64_t bits)
{
	struct timer *first = NULL;
	uint64_t first_ns = 0;

	if (!(bits & atomic_load_explicit(&posix_timer_signals, memory_order_relaxed)))
		return NULL;
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++) {
		struct timer *timer = &timers[i];
		uint64_t ns;

		if (!is_here(timer) || !is_mine(timer, bits))
			continue;
		ns = posix_grid_due(&timer->grid);
		if (ns && (!first || timer->signal < first->signal ||
			   (timer->signal == first->signal && ns < first_ns))) {
			first = timer;
			first_ns = ns;
		}
	}
	return first;
}

int posix_timer_due(uint64_t bits)
{
	const struct timer *first = first_due(bits);

	return first ? first->signal : 0;
}

int posix_timer_take(uint64_t bits, siginfo_t *info)
{
	struct timer *first;

	while ((first = first_due(bits)))
		if (accept_expiry(first, info))
			return first->signal;
	return 0;
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id)
{
	int result = posix_real.timer_create(clock, event, id);
	int notify = event ? event->sigev_notify : SIGEV_SIGNAL;
	struct timer *timer;

	if (result || !posix_clock_is_served(clock) ||
	    (notify != SIGEV_SIGNAL && notify != SIGEV_THREAD_ID && notify != SIGEV_NONE))
		return result;
	timer = take_place();
	if (!timer)
		return 0;
	/* What it told while nobody looked may be what a handler or siglongjmp() has changed. */
	posix_mask_look();
	timer->id = *id;
	timer->signal = event ? event->sigev_signo : SIGALRM;
	if (notify == SIGEV_NONE)
		timer->signal = 0;
	timer->tid = notify == SIGEV_THREAD_ID ? event->_sigev_un._tid : 0;
	timer->value = event ? event->sigev_value : (union sigval){.sival_ptr = *id};
	posix_grid_begin(&timer->grid, clock);
	atomic_store(&timer->overruns, 0);
	atomic_store(&timer->taken, 2);
	return 0;
}

int timer_delete(timer_t id)
{
	struct timer *timer = find(id);

	if (timer) {
		posix_grid_begin(&timer->grid, timer->grid.clock);
		atomic_store(&timer->taken, 0);
	}
	return posix_real.timer_delete(id);
}

/* Before it is set here. False: a signal of its is pending there. */
static bool stop_in_linux(struct timer *timer)
{
	const struct itimerspec none = {0};
	bool denied, stopped;

	if (!atomic_load(&timer->grid.set_ns))
		return true;
	denied = posix_linux_begin();
	stopped = !posix_real.timer_settime(timer->id, 0, &none, NULL) &&
		  !(timer->signal && is_pending(timer->signal));
	posix_linux_end(denied);
	return stopped;
}

/*
 * A task sets it: from now on it is here, as it stays when a Linux thread sets it. False: Linux has
 * to.
 */
static bool set_here(struct timer *timer, bool absolute, const struct itimerspec *times,
		     struct itimerspec *former)
{
	if (!posix_grid_can(times))
		return false;
	/* What Linux has to be asked, it is best told altogether. */
	if (!can_be_here(timer) || (!is_here(timer) && (former || !stop_in_linux(timer))))
		return false;
	if (former)
		posix_grid_tell(&timer->grid, former);
	atomic_store(&timer->overruns, 0);
	begin_here(timer, absolute, times);
	/* Who waits sleeps until another instant. */
	(void)posix_wait_wake(&posix_signals, UINT32_MAX);
	return true;
}

int timer_settime(timer_t id, int flags, const struct itimerspec *restrict times,
		  struct itimerspec *restrict former)
{
	struct timer *timer = find(id);
	uint64_t begun_ns;
	int result;

	if (!timer || !times || !posix_time_is_valid(&times->it_value) ||
	    !posix_time_is_valid(&times->it_interval))
		return posix_real.timer_settime(id, flags, times, former);
	if ((posix_is_task() || is_here(timer)) &&
	    set_here(timer, flags & TIMER_ABSTIME, times, former))
		return 0;
	if (is_here(timer))
		hand_back(timer);
	begun_ns = posix_grid_now(&timer->grid);
	result = posix_real.timer_settime(id, flags, times, former);
	if (!result)
		posix_grid_note(&timer->grid, flags & TIMER_ABSTIME, times, begun_ns);
	return result;
}

int timer_gettime(timer_t id, struct itimerspec *told)
{
	const struct timer *timer = find(id);

	if (!timer || !told || !is_here(timer))
		return posix_real.timer_gettime(id, told);
	posix_grid_tell(&timer->grid, told);
	return 0;
}

int timer_getoverrun(timer_t id)
{
	const struct timer *timer = find(id);

	if (!timer || !is_here(timer))
		return posix_real.timer_getoverrun(id);
	return atomic_load(&timer->overruns);
}
