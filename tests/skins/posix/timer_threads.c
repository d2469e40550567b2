/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers that call a function in a thread: when, how often, with which value, and set by which
 * thread. */
#include "check.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#define MS 1000000u

static sem_t called;
static _Atomic int calls, with, in_caller, with_signals;
static _Atomic uint64_t called_ns;
static pthread_t setter;

static void function(union sigval value)
{
	sigset_t blocked;

	called_ns = now_ns(CLOCK_MONOTONIC);
	calls++;
	with = value.sival_int;
	in_caller = pthread_equal(pthread_self(), setter);
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	with_signals = !sigismember(&blocked, SIGTERM);
	sem_post(&called);
}

static timer_t made(clockid_t clock)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 42};
	timer_t timer;

	event.sigev_notify_function = function;
	SHOW(timer_create(clock, &event, &timer));
	return timer;
}

static struct itimerspec every(uint64_t first_ns, uint64_t interval_ns)
{
	return (struct itimerspec){
		.it_value = {(time_t)(first_ns / 1000000000u), (long)(first_ns % 1000000000u)},
		.it_interval = {0, (long)interval_ns},
	};
}

static void once(clockid_t clock, int flags)
{
	uint64_t now = now_ns(CLOCK_MONOTONIC);
	struct itimerspec times = every((flags & TIMER_ABSTIME ? now_ns(clock) : 0) + 20 * MS, 0);
	timer_t timer = made(clock);

	SHOW(timer_settime(timer, flags, &times, NULL));
	SHOW(timer_gettime(timer, &times));
	SHOW(times.it_value.tv_nsec > 0 && times.it_value.tv_nsec <= 20 * (long)MS);
	sem_wait(&called);
	SHOW(called_ns >= now + 20 * MS - MS / 10);
	SHOW(with);
	SHOW(in_caller);
	SHOW(with_signals);
	SHOW(timer_gettime(timer, &times));
	SHOW(times.it_value.tv_sec + times.it_value.tv_nsec);
	SHOW(timer_getoverrun(timer));
	SHOW(timer_delete(timer));
	SHOW(timer_settime(timer, 0, &times, NULL) && errno == EINVAL);
}

/* Those that are under way may take a while on a busy machine. */
static void until_none_comes(void)
{
	struct timespec until;

	do {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
	} while (!sem_timedwait(&called, &until));
}

static void again_and_again(void)
{
	struct itimerspec times = every(5 * MS, 5 * MS), former;
	timer_t timer = made(CLOCK_MONOTONIC);
	int seen;

	calls = 0;
	SHOW(timer_settime(timer, 0, &times, NULL));
	for (int i = 0; i < 10; i++)
		sem_wait(&called);
	SHOW(calls >= 10);
	times = every(0, 0);
	SHOW(timer_settime(timer, 0, &times, &former));
	SHOW(former.it_interval.tv_nsec);
	SHOW(former.it_value.tv_nsec > 0 && former.it_value.tv_nsec <= 5 * (long)MS);
	until_none_comes();
	seen = calls;
	usleep(50000);
	SHOW(calls == seen);
	/* Set anew before it expires. */
	times = every(10000 * (uint64_t)MS, 0);
	SHOW(timer_settime(timer, 0, &times, NULL));
	times = every(MS, 0);
	SHOW(timer_settime(timer, 0, &times, NULL));
	sem_wait(&called);
	SHOW(calls == seen + 1);
	/* Stopped by a setting that is too fine to be served here. */
	times = every(10000 * (uint64_t)MS, 0);
	SHOW(timer_settime(timer, 0, &times, NULL));
	times = every(0, 500);
	SHOW(timer_settime(timer, 0, &times, NULL));
	SHOW(timer_gettime(timer, &times));
	SHOW(times.it_value.tv_sec + times.it_value.tv_nsec);
	times = every(MS, 0);
	SHOW(timer_settime(timer, 0, &times, NULL));
	sem_wait(&called);
	SHOW(calls == seen + 2);
	SHOW(timer_delete(timer));
}

static timer_t passed_on;

static void *set_by_other(void *unused)
{
	struct itimerspec times = every(3 * MS, 0);

	SHOW(timer_settime(passed_on, 0, &times, NULL));
	return unused;
}

static void *all(void *unused)
{
	struct itimerspec times = every(10000 * (uint64_t)MS, 0);

	setter = pthread_self();
	once(CLOCK_MONOTONIC, 0);
	once(CLOCK_MONOTONIC, TIMER_ABSTIME);
	once(CLOCK_REALTIME, 0);
	once(CLOCK_REALTIME, TIMER_ABSTIME);
	again_and_again();
	passed_on = made(CLOCK_MONOTONIC);
	SHOW(timer_settime(passed_on, 0, &times, NULL));
	joined(other_thread(set_by_other, NULL));
	sem_wait(&called);
	SHOW(timer_delete(passed_on));
	return unused;
}

int main(void)
{
	sem_init(&called, 0, 0);
	joined(other_thread(all, NULL));
	joined(fifo_thread(40, all, NULL));
	return 0;
}
