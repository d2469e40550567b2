/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cost of a SCHED_FIFO thread from birth to end, for dev/linux_calls.py: COUNT of them, one
 * after the other, each of which sleeps once; `alive`: all of them live together, and wait for the
 * last one.
 *
 * usage: births COUNT [alive]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST 2000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int there, count;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *sleep_once(void *unused)
{
	const struct timespec shortly = {.tv_nsec = 1000};

	nanosleep(&shortly, NULL);
	return unused;
}

static void *wait_for_all(void *unused)
{
	pthread_mutex_lock(&lock);
	if (++there == count)
		pthread_cond_broadcast(&changed);
	while (there < count)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

static pthread_t start(void *(*entry)(void *))
{
	const struct sched_param parameter = {.sched_priority = 5};
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	if (pthread_create(&thread, &attributes, entry, NULL)) {
		puts("no thread");
		exit(1);
	}
	pthread_attr_destroy(&attributes);
	return thread;
}

int main(int argc, char **argv)
{
	static pthread_t threads[MOST];
	uint64_t begun_ns;

	count = argc > 1 ? atoi(argv[1]) : 0;
	if (count < 1 || count > MOST) {
		puts("usage: births COUNT [alive]");
		return 2;
	}
	/* The first one starts the real-time half. */
	pthread_join(start(sleep_once), NULL);
	begun_ns = now_ns();
	for (int i = 0; i < count; i++) {
		threads[i] = start(argc > 2 ? wait_for_all : sleep_once);
		if (argc == 2)
			pthread_join(threads[i], NULL);
	}
	for (int i = 0; argc > 2 && i < count; i++)
		pthread_join(threads[i], NULL);
	printf("%.2f us a thread\n", (double)(now_ns() - begun_ns) / 1e3 / count);
	return 0;
}
