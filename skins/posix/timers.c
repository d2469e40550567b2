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
#include "real.h"
#include "sigwait.h"
#include "summary.h"
#include "thread.h"
#include "wait.h"

#define TIMERS            64u
#define IN_LINUX          UINT64_MAX
#define INTERVAL_LEAST_NS 1000u

struct timer {
	_Atomic uint32_t taken; /* 1: being made, 2: there */
	timer_t id;
	clockid_t clock;
	int signal;
	pid_t tid; /* whose it is, or 0: the program's */
	union sigval value;
	_Atomic uint64_t next_ns; /* the first expiry not accepted, 0: disarmed; or IN_LINUX */
	_Atomic uint64_t interval_ns;
	_Atomic uint64_t set_ns; /* the first expiry as Linux was told, 0: disarmed */
	_Atomic int overruns;    /* before what was accepted last */
};

static struct timer timers[TIMERS];
static _Atomic uint32_t timers_used; /* no place beyond was ever taken */
static _Atomic uint64_t never;
_Atomic uint64_t posix_timer_signals;

static struct timer *find(timer_t id)
{
	for (uint32_t i = 0; i < atomic_load(&timers_used); i++)
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
		(void)atomic_compare_exchange_strong(&timers_used, &used, i + 1);
		return &timers[i];
	}
	return NULL;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return posix_ns(&now);
}

static bool is_here(const struct timer *timer)
{
	return atomic_load(&timer->taken) == 2 && atomic_load(&timer->next_ns) != IN_LINUX;
}

/* May the calling thread get its signal? */
static bool is_mine(const struct timer *timer, uint64_t bits)
{
	return bits & posix_signal_bit(timer->signal) &&
	       (!timer->tid || timer->tid == posix_me.tid);
}

/* A timer's signal cannot be delivered while every thread that it is for blocks it. */
static bool is_blocked(const struct timer *timer)
{
	uint64_t bit = posix_signal_bit(timer->signal);

	if (timer->tid)
		return timer->tid == posix_me.tid &&
		       atomic_load_explicit(&posix_me.blocked, memory_order_relaxed) & bit;
	return posix_threads_all_block(bit);
}

/* The first expiry after now, on the grid of the last one that was set. */
static uint64_t follow(uint64_t first_ns, uint64_t interval_ns, uint64_t now_ns)
{
	if (!interval_ns)
		return now_ns < first_ns ? first_ns : 0;
	return now_ns < first_ns ? first_ns
				 : first_ns + ((now_ns - first_ns) / interval_ns + 1) * interval_ns;
}

static void hand_back(struct timer *timer)
{
	uint64_t next_ns = atomic_exchange(&timer->next_ns, IN_LINUX);
	const struct itimerspec times = {
		.it_interval = posix_timespec(atomic_load(&timer->interval_ns)),
		.it_value = posix_timespec(next_ns),
	};
	const int former = errno;
	bool denied;

	if (next_ns == IN_LINUX)
		return;
	atomic_store(&timer->set_ns, next_ns);
	denied = posix_linux_begin();
	if (next_ns)
		(void)posix_real.timer_settime(timer->id, TIMER_ABSTIME, &times, NULL);
	posix_linux_end(denied);
	errno = former;
}

void posix_timers_hand_back(uint64_t bits)
{
	for (uint32_t i = 0; i < atomic_load(&timers_used); i++)
		if (is_here(&timers[i]) && is_mine(&timers[i], bits))
			hand_back(&timers[i]);
}

void posix_timers_leave(void)
{
	for (uint32_t i = 0; i < atomic_load(&timers_used); i++)
		if (is_here(&timers[i]) && timers[i].tid == posix_me.tid)
			hand_back(&timers[i]);
}

void posix_timers_never(uint64_t bits)
{
	atomic_fetch_or(&never, bits);
	for (uint32_t i = 0; i < atomic_load(&timers_used); i++)
		if (is_here(&timers[i]) && bits & posix_signal_bit(timers[i].signal))
			hand_back(&timers[i]);
}

void posix_timers_forget(void)
{
	for (uint32_t i = 0; i < TIMERS; i++)
		atomic_store(&timers[i].taken, 0);
	atomic_store(&timers_used, 0);
	atomic_store(&posix_timer_signals, 0);
}

static bool can_be_here(const struct timer *timer)
{
	return !(atomic_load(&never) & posix_signal_bit(timer->signal)) && is_blocked(timer);
}

/* Who unblocks its signal says so before it looks whether there is one here. */
static void begin_here(struct timer *timer, uint64_t next_ns)
{
	atomic_fetch_or(&posix_timer_signals, posix_signal_bit(timer->signal));
	atomic_store(&timer->next_ns, next_ns);
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
	const uint64_t set_ns = atomic_load(&timer->set_ns);
	const uint64_t interval_ns = atomic_load(&timer->interval_ns);
	uint64_t now_ns = clock_ns(timer->clock);
	const struct itimerspec none = {0};
	struct itimerspec left;

	if (is_pending(timer->signal) || posix_real.timer_gettime(timer->id, &left) ||
	    (!left.it_value.tv_sec && !left.it_value.tv_nsec) ||
	    posix_real.timer_settime(timer->id, 0, &none, NULL))
		return;
	if (is_pending(timer->signal))
		now_ns = clock_ns(timer->clock);
	atomic_store(&timer->set_ns, 0);
	begin_here(timer, follow(set_ns, interval_ns, now_ns));
}

void posix_timers_prepare(uint64_t bits)
{
	for (uint32_t i = 0; i < atomic_load(&timers_used); i++) {
		struct timer *timer = &timers[i];
		bool denied;

		/* One that Linux does not run may as well stay there until it is set. */
		if (atomic_load(&timer->taken) != 2 || is_here(timer) || !is_mine(timer, bits) ||
		    !atomic_load(&timer->set_ns) || !can_be_here(timer))
			continue;
		denied = posix_linux_begin();
		fetch(timer);
		posix_linux_end(denied);
	}
}

static tact_timeout_t instant_of(const struct timer *timer, uint64_t ns)
{
	const struct timespec time = posix_timespec(ns);

	return posix_instant(timer->clock, &time);
}

tact_timeout_t posix_timer_next(uint64_t bits)
{
	tact_timeout_t next = TACT_FOREVER;

	for (uint32_t i = 0; i < atomic_load(&timers_used); i++) {
		uint64_t ns = atomic_load(&timers[i].next_ns);
		tact_timeout_t at;

		if (!ns || ns == IN_LINUX || !is_here(&timers[i]) || !is_mine(&timers[i], bits))
			continue;
		at = instant_of(&timers[i], ns);
		if (next.kind == TACT_TIMEOUT_FOREVER || at.ns < next.ns)
			next = at;
	}
	return next;
}

/* Several wait for it, or it is set meanwhile: only one gets this expiry. */
static bool accept(struct timer *timer, siginfo_t *info)
{
	uint64_t next_ns = atomic_load(&timer->next_ns);
	uint64_t interval_ns = atomic_load(&timer->interval_ns);
	uint64_t now_ns, later_ns;

	if (!next_ns || next_ns == IN_LINUX)
		return false;
	now_ns = clock_ns(timer->clock);
	if (now_ns < next_ns)
		return false;
	later_ns = follow(next_ns, interval_ns, now_ns);
	if (!atomic_compare_exchange_strong(&timer->next_ns, &next_ns, later_ns))
		return false;
	atomic_store(&timer->overruns, interval_ns ? (int)((now_ns - next_ns) / interval_ns) : 0);
	if (posix_summary_wanted)
		posix_summary_slept(next_ns, now_ns);
	memset(info, 0, sizeof(*info));
	info->si_signo = timer->signal;
	info->si_code = SI_TIMER;
	info->si_timerid = (int)(intptr_t)timer->id;
	info->si_overrun = atomic_load(&timer->overruns);
	info->si_value = timer->value;
	return true;
}

/* Of several the one with the lowest signal, and of those the earliest, as POSIX has it. */
int posix_timer_take(uint64_t bits, siginfo_t *info)
{
	if (!(bits & atomic_load_explicit(&posix_timer_signals, memory_order_relaxed)))
		return 0;
	for (;;) {
		struct timer *first = NULL;
		uint64_t first_ns = 0;

		for (uint32_t i = 0; i < atomic_load(&timers_used); i++) {
			struct timer *timer = &timers[i];
			uint64_t ns = atomic_load(&timer->next_ns);

			if (!ns || ns == IN_LINUX || !is_here(timer) || !is_mine(timer, bits) ||
			    ns > clock_ns(timer->clock))
				continue;
			if (!first || timer->signal < first->signal ||
			    (timer->signal == first->signal && ns < first_ns)) {
				first = timer;
				first_ns = ns;
			}
		}
		if (!first)
			return 0;
		if (accept(first, info))
			return first->signal;
	}
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id)
{
	int result = posix_real.timer_create(clock, event, id);
	int notify = event ? event->sigev_notify : SIGEV_SIGNAL;
	struct timer *timer;

	if (result || !posix_clock_is_served(clock) ||
	    (notify != SIGEV_SIGNAL && notify != SIGEV_THREAD_ID))
		return result;
	timer = take_place();
	if (!timer)
		return 0;
	timer->id = *id;
	timer->clock = clock;
	timer->signal = event ? event->sigev_signo : SIGALRM;
	timer->tid = notify == SIGEV_THREAD_ID ? event->_sigev_un._tid : 0;
	timer->value = event ? event->sigev_value : (union sigval){.sival_ptr = *id};
	atomic_store(&timer->next_ns, IN_LINUX);
	atomic_store(&timer->interval_ns, 0);
	atomic_store(&timer->set_ns, 0);
	atomic_store(&timer->overruns, 0);
	atomic_store(&timer->taken, 2);
	return 0;
}

int timer_delete(timer_t id)
{
	struct timer *timer = find(id);

	if (timer) {
		atomic_store(&timer->next_ns, IN_LINUX);
		atomic_store(&timer->taken, 0);
	}
	return posix_real.timer_delete(id);
}

/* As timer_gettime(), of one that is here. */
static void tell(const struct timer *timer, uint64_t next_ns, struct itimerspec *told)
{
	uint64_t interval_ns = atomic_load(&timer->interval_ns);
	uint64_t now_ns = clock_ns(timer->clock);

	next_ns = next_ns ? follow(next_ns, interval_ns, now_ns) : 0;
	told->it_interval = posix_timespec(interval_ns);
	told->it_value = posix_timespec(next_ns ? next_ns - now_ns : 0);
}

/* Before it is set here. False: a signal of its is pending there. */
static bool stop_in_linux(struct timer *timer)
{
	const struct itimerspec none = {0};
	bool denied, stopped;

	if (!atomic_load(&timer->set_ns))
		return true;
	denied = posix_linux_begin();
	stopped =
		!posix_real.timer_settime(timer->id, 0, &none, NULL) && !is_pending(timer->signal);
	posix_linux_end(denied);
	if (stopped)
		atomic_store(&timer->set_ns, 0);
	return stopped;
}

/* A task sets it: from now on it is here. False: Linux has to. */
static bool set_here(struct timer *timer, int flags, const struct itimerspec *times,
		     struct itimerspec *former)
{
	uint64_t value_ns = posix_ns(&times->it_value);
	uint64_t interval_ns = value_ns ? posix_ns(&times->it_interval) : 0;
	uint64_t next_ns;

	if (interval_ns && interval_ns < INTERVAL_LEAST_NS)
		return false;
	/* What Linux has to be asked, it is best told altogether. */
	if (!is_here(timer) && (former || !can_be_here(timer) || !stop_in_linux(timer)))
		return false;
	if (value_ns && !(flags & TIMER_ABSTIME))
		value_ns += clock_ns(timer->clock);
	next_ns = atomic_load(&timer->next_ns);
	if (former)
		tell(timer, next_ns == IN_LINUX ? 0 : next_ns, former);
	atomic_store(&timer->overruns, 0);
	atomic_store(&timer->interval_ns, interval_ns);
	begin_here(timer, value_ns);
	/* Who waits sleeps until another instant. */
	(void)posix_wait_wake(&posix_signals, UINT32_MAX);
	return true;
}

static void note_set(struct timer *timer, int flags, const struct itimerspec *times)
{
	uint64_t value_ns = posix_ns(&times->it_value);

	if (value_ns && !(flags & TIMER_ABSTIME))
		value_ns += clock_ns(timer->clock);
	atomic_store(&timer->interval_ns, value_ns ? posix_ns(&times->it_interval) : 0);
	atomic_store(&timer->set_ns, value_ns);
}

int timer_settime(timer_t id, int flags, const struct itimerspec *restrict times,
		  struct itimerspec *restrict former)
{
	struct timer *timer = find(id);
	int result;

	if (!timer || !times || !posix_time_is_valid(&times->it_value) ||
	    !posix_time_is_valid(&times->it_interval))
		return posix_real.timer_settime(id, flags, times, former);
	if (posix_is_task() && set_here(timer, flags, times, former))
		return 0;
	if (is_here(timer))
		hand_back(timer);
	result = posix_real.timer_settime(id, flags, times, former);
	if (!result)
		note_set(timer, flags, times);
	return result;
}

int timer_gettime(timer_t id, struct itimerspec *told)
{
	const struct timer *timer = find(id);
	uint64_t next_ns = timer ? atomic_load(&timer->next_ns) : IN_LINUX;

	if (next_ns == IN_LINUX || !told)
		return posix_real.timer_gettime(id, told);
	tell(timer, next_ns, told);
	return 0;
}

int timer_getoverrun(timer_t id)
{
	const struct timer *timer = find(id);

	if (!timer || !is_here(timer))
		return posix_real.timer_getoverrun(id);
	return atomic_load(&timer->overruns);
}
