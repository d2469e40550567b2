/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that spin until another thread has done something. On Linux that one runs on another CPU;
 * here, on the only real-time CPU, they make room for it. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static _Atomic int set, begun;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counted;

static void *sets(void *argument)
{
	(void)argument;
	atomic_store(&set, 1);
	return NULL;
}

static void *counts(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&mutex);
	counted++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *spins(void *argument)
{
	pthread_t other;

	(void)argument;
	SHOW(is_task_if_expected());
	other = fifo_thread(40, sets, NULL);
	while (!atomic_load(&set))
		;
	joined(other);
	SHOW(atomic_exchange(&set, 0));
	return NULL;
}

static void *yields(void *argument)
{
	pthread_t other = fifo_thread(40, sets, NULL);

	(void)argument;
	while (!atomic_load(&set))
		sched_yield();
	joined(other);
	SHOW(atomic_exchange(&set, 0));
	return NULL;
}

static void *looks(void *argument)
{
	pthread_t others[4];
	int seen;

	(void)argument;
	for (int i = 0; i < 4; i++)
		others[i] = fifo_thread(50, counts, NULL);
	do {
		pthread_mutex_lock(&mutex);
		seen = counted;
		pthread_mutex_unlock(&mutex);
	} while (seen < 4);
	for (int i = 0; i < 4; i++)
		joined(others[i]);
	SHOW(seen);
	return NULL;
}

static void *locks(void *argument)
{
	/* To secondary mode, which free locks do not end. */
	(void)syscall(SYS_getppid);
	do {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	} while (!atomic_load(&set));
	return argument;
}

/* Both share the CPU that Linux has for them. */
static void *calls(void *argument)
{
	pthread_t other = fifo_thread(50, locks, NULL);

	(void)argument;
	usleep(50000);
	SHOW(syscall(SYS_getppid) == getppid());
	atomic_store(&set, 1);
	joined(other);
	SHOW(atomic_exchange(&set, 0));
	return NULL;
}

/* In secondary mode, in which it makes no more calls. */
static void *keeps(void *argument)
{
	(void)syscall(SYS_getppid);
	atomic_store(&begun, 1);
	while (!atomic_load(&set))
		;
	return argument;
}

/* Less urgent than the thread that keeps the CPU on which it begins. */
static void *bears(void *argument)
{
	pthread_t keeper = fifo_thread(55, keeps, NULL);
	pthread_t other;

	(void)argument;
	while (!atomic_load(&begun))
		usleep(100);
	other = fifo_thread(40, sets, NULL);
	joined(other);
	joined(keeper);
	SHOW(atomic_exchange(&set, 0));
	return NULL;
}

/* Long enough to go below all others, where the thread that spins for it is by then, too. */
static void *sets_late(void *argument)
{
	uint64_t end_ns;

	(void)syscall(SYS_getppid);
	end_ns = now_ns(CLOCK_MONOTONIC) + 800000000u;
	while (now_ns(CLOCK_MONOTONIC) < end_ns)
		;
	atomic_store(&set, 1);
	return argument;
}

static void two_keep(void)
{
	pthread_t keeper = fifo_thread(55, keeps, NULL);
	pthread_t other = fifo_thread(55, sets_late, NULL);

	joined(other);
	joined(keeper);
	SHOW(atomic_exchange(&set, 0));
}

static void *wakes(void *argument)
{
	while (!atomic_load(&set))
		usleep(100);
	return argument;
}

/* A thread that spins is switched all the time, and still keeps its CPU. */
static void *spins_below(void *argument)
{
	pthread_t waker = fifo_thread(70, wakes, NULL);
	pthread_t other = fifo_thread(40, sets, NULL);

	while (!atomic_load(&set))
		;
	joined(other);
	joined(waker);
	SHOW(atomic_exchange(&set, 0));
	return argument;
}

int main(void)
{
	/* With one CPU, they would hang on Linux, too. */
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return 77;
	joined(fifo_thread(50, spins, NULL));
	joined(fifo_thread(50, yields, NULL));
	joined(fifo_thread(50, looks, NULL));
	joined(fifo_thread(50, calls, NULL));
	joined(fifo_thread(60, bears, NULL));
	two_keep();
	joined(fifo_thread(50, spins_below, NULL));
	return 0;
}
