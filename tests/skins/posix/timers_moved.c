/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers that move between this library and Linux: a real-time thread waits for their signals,
 * while others read them in Linux, set them, and make and delete them. The last setting counts,
 * whichever thread made it.
 */
#include "timers.h"

#include <stdatomic.h>
#include <sys/time.h>

#define ROUNDS 250
#define S      1000000000u

static timer_t timer;
static _Atomic int ends;

static void *asks(void *unused)
{
	sigset_t pending;

	while (!atomic_load(&ends))
		sigpending(&pending);
	return unused;
}

/* Nothing comes any more from a stopped timer, except what had come before. */
static int comes_after_all(int signal)
{
	while (wait_for(signal, NULL, 0) == signal)
		;
	return wait_for(signal, NULL, 3 * MS) != -EAGAIN;
}

static void *stops(void *unused)
{
	int wrong = 0;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		wrong += set_in(timer, MS / 5, 0) != 0;
		wrong += set_in(timer, 0, 0) != 0;
		wrong += comes_after_all(SIGRTMIN);
	}
	SHOW(wrong);
	return NULL;
}

static void *stops_the_interval_timer(void *unused)
{
	const struct itimerval soon = {{0, 0}, {0, 200}}, none = {{0, 0}, {0, 0}};
	int wrong = 0;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		wrong += setitimer(ITIMER_REAL, &soon, NULL) != 0;
		wrong += setitimer(ITIMER_REAL, &none, NULL) != 0;
		wrong += comes_after_all(SIGALRM);
	}
	SHOW(wrong);
	return NULL;
}

/* The setting of another timer is not applied to the one that has its place. */
static void *makes_anew(void *unused)
{
	int wrong = 0;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		timer_t former = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 1);
		timer_t next;

		wrong += set_in(former, 2 * MS, 0) != 0;
		wrong += timer_delete(former) != 0;
		next = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 2);
		wrong += comes_after_all(SIGRTMIN);
		wrong += timer_delete(next) != 0;
	}
	SHOW(wrong);
	return NULL;
}

static void beside_one_who_asks(void *(*entry)(void *))
{
	pthread_t other;

	atomic_store(&ends, 0);
	other = other_thread(asks, NULL);
	joined(fifo_thread(20, entry, NULL));
	atomic_store(&ends, 1);
	joined(other);
}

static void *waits(void *signal)
{
	SHOW(is_task_if_expected());
	while (!atomic_load(&ends))
		wait_for((int)(intptr_t)signal, NULL, 1 * MS);
	return NULL;
}

/* It is seconds away, whatever the waiter did with the former setting. */
static void set_beside_one_who_waits(void)
{
	const uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + S + S / 2;
	struct itimerspec times = {{0, 0}, {0, 0}}, told;
	pthread_t other;
	sigset_t pending;
	int wrong = 0;

	atomic_store(&ends, 0);
	other = fifo_thread(20, waits, (void *)(intptr_t)SIGRTMIN);
	for (int i = 0; now_ns(CLOCK_MONOTONIC) < end_ns; i++) {
		const unsigned seconds = 2 + i % 7;

		sigpending(&pending);
		times.it_value = later(CLOCK_MONOTONIC, (uint64_t)seconds * S);
		wrong += timer_settime(timer, TIMER_ABSTIME, &times, NULL) != 0;
		wrong += timer_gettime(timer, &told) != 0;
		wrong += told.it_value.tv_sec != (time_t)seconds - 1;
	}
	SHOW(wrong);
	atomic_store(&ends, 1);
	joined(other);
	SHOW(set_in(timer, 0, 0));
}

/* The same for the interval timer, which returns its former setting when it is set. */
static void alarms_beside_one_who_waits(void)
{
	const uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + S + S / 2;
	pthread_t other;
	sigset_t pending;
	unsigned before;
	int wrong = 0;

	atomic_store(&ends, 0);
	other = fifo_thread(20, waits, (void *)(intptr_t)SIGALRM);
	alarm(before = 8);
	for (int i = 0; now_ns(CLOCK_MONOTONIC) < end_ns; i++) {
		struct itimerval told;

		sigpending(&pending);
		wrong += alarm(20 + i % 7) != before;
		before = 20 + i % 7;
		wrong += getitimer(ITIMER_REAL, &told) != 0 ||
			 told.it_value.tv_sec != (time_t)before - 1;
	}
	SHOW(wrong);
	atomic_store(&ends, 1);
	joined(other);
	SHOW(alarm(0) == before);
}

int main(void)
{
	block(SIG_BLOCK, SIGRTMIN);
	block(SIG_BLOCK, SIGALRM);
	timer = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 1);
	beside_one_who_asks(stops);
	beside_one_who_asks(stops_the_interval_timer);
	beside_one_who_asks(makes_anew);
	set_beside_one_who_waits();
	alarms_beside_one_who_waits();
	return 0;
}
