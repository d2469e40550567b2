/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads with a real-time policy that call Linux. `calls` and `sleeps`: the first thread, whose
 * policy comes from outside, makes calls, and at last sleeps. `inherits`: so does a thread that it
 * makes. `posts`: a thread that requests its policy makes a call after each wake-up of a waiting
 * one; `returns`: and then sleeps. `beats`: it makes one after each of its sleeps.
 *
 * usage: stays CASE COUNT
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 200000

static int count;
static sem_t units;
static atomic_bool over;

static void call(void)
{
	(void)getppid();
}

static void sleep_to_instants(bool calls)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	for (int i = 0; i < count; i++) {
		at.tv_nsec += PERIOD_NS;
		if (at.tv_nsec >= 1000000000) {
			at.tv_nsec -= 1000000000;
			at.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		if (calls)
			call();
	}
}

static void *make_calls(void *unused)
{
	for (int i = 0; i < count; i++)
		call();
	return unused;
}

static void *wait_for_units(void *unused)
{
	while (!atomic_load(&over))
		sem_wait(&units);
	return unused;
}

/* The waiting one is more urgent: it waits again before this one continues. */
static void *post(void *sleeps)
{
	for (int i = 0; i < count; i++) {
		call();
		sem_post(&units);
	}
	if (sleeps)
		sleep_to_instants(false);
	atomic_store(&over, true);
	sem_post(&units);
	return NULL;
}

static void *beat(void *unused)
{
	sleep_to_instants(true);
	return unused;
}

static pthread_t start(void *(*entry)(void *), void *argument, int priority)
{
	const struct sched_param parameter = {.sched_priority = priority};
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (priority) {
		pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
		pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
		pthread_attr_setschedparam(&attributes, &parameter);
	}
	if (pthread_create(&thread, &attributes, entry, argument)) {
		puts("no thread");
		exit(1);
	}
	pthread_attr_destroy(&attributes);
	return thread;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t waiter;

	count = argc > 2 ? atoi(argv[2]) : 0;
	sem_init(&units, 0, 0);
	if (!strcmp(what, "calls")) {
		make_calls(NULL);
	} else if (!strcmp(what, "sleeps")) {
		make_calls(NULL);
		sleep_to_instants(false);
	} else if (!strcmp(what, "inherits")) {
		pthread_join(start(make_calls, NULL, 0), NULL);
	} else if (!strcmp(what, "beats")) {
		pthread_join(start(beat, NULL, 20), NULL);
	} else if (!strcmp(what, "posts") || !strcmp(what, "returns")) {
		waiter = start(wait_for_units, NULL, 30);
		pthread_join(start(post, *what == 'r' ? &units : NULL, 20), NULL);
		pthread_join(waiter, NULL);
	} else {
		puts("usage: stays CASE COUNT");
		return 2;
	}
	puts("done");
	return 0;
}
