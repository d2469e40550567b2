/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks that spin until another thread has done something. On Linux that one runs on another CPU;
 * here, on the only real-time CPU, they make room for it.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static _Atomic int set;
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
	/* To secondary mode, where locks that are free leave it. */
	(void)syscall(SYS_getppid);
	do {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	} while (!atomic_load(&set));
	return argument;
}

/* The two share what CPU Linux has for them. */
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

int main(void)
{
	/* With one CPU they would hang on Linux, too. */
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return 77;
	joined(fifo_thread(50, spins, NULL));
	joined(fifo_thread(50, yields, NULL));
	joined(fifo_thread(50, looks, NULL));
	joined(fifo_thread(50, calls, NULL));
	return 0;
}
