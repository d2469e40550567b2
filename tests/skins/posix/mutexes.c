/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes of all types and protocols in real-time threads: results, errors, time limits. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

#define MS 1000000u

static pthread_mutex_t mutex;
static pthread_mutex_t constant = PTHREAD_MUTEX_INITIALIZER;
static sem_t locked, go_on;

static void make(int type, int protocol, int robust)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setrobust(&attributes, robust);
	if (protocol == PTHREAD_PRIO_PROTECT)
		pthread_mutexattr_setprioceiling(&attributes, 80);
	printf("type %d, protocol %d, robust %d\n", type, protocol, robust);
	SHOW(pthread_mutex_init(&mutex, &attributes));
	pthread_mutexattr_destroy(&attributes);
}

static void *owns(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&mutex);
	sem_post(&locked);
	sem_wait(&go_on);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void timed_out(int result, uint64_t not_before)
{
	printf("result %d, not too early: %d\n", result,
	       result != ETIMEDOUT || now_ns(CLOCK_MONOTONIC) >= not_before);
}

/* Contention with an owner of this kind: another real-time thread, or a thread of Linux. */
static void contended(int real_time)
{
	struct timespec until = later(CLOCK_REALTIME, 10 * MS);
	struct timespec until_monotonic = later(CLOCK_MONOTONIC, 20 * MS);
	struct timespec wrong = {.tv_nsec = -1};
	pthread_t thread;
	uint64_t begin = now_ns(CLOCK_MONOTONIC);

	printf("owner %s\n", real_time ? "real-time" : "other");
	thread = real_time ? fifo_thread(60, owns, NULL) : other_thread(owns, NULL);
	sem_wait(&locked);
	SHOW(pthread_mutex_trylock(&mutex));
	timed_out(pthread_mutex_timedlock(&mutex, &until), begin + 9 * MS);
	timed_out(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until_monotonic),
		  begin + 19 * MS);
	SHOW(pthread_mutex_timedlock(&mutex, &wrong));
	sem_post(&go_on);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	joined(thread);
	SHOW(is_task_if_expected());
}

/* Refused before the mutex is checked. */
static void by_no_clock(void)
{
	const struct timespec until = later(CLOCK_REALTIME, 10 * MS);

	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_BOOTTIME, &until));
	SHOW(pthread_mutex_clocklock(&mutex, 77, &until));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
}

static void every_kind(void)
{
	static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
				    PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP};
	static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT,
					PTHREAD_PRIO_PROTECT};

	for (size_t i = 0; i < 12; i++) {
		make(types[i / 3], protocols[i % 3], PTHREAD_MUTEX_STALLED);
		by_no_clock();
		SHOW(pthread_mutex_lock(&mutex));
		SHOW(pthread_mutex_trylock(&mutex));
		if (i / 3 == 1 || i / 3 == 2) {
			SHOW(pthread_mutex_lock(&mutex));
			SHOW(pthread_mutex_unlock(&mutex));
		}
		SHOW(pthread_mutex_unlock(&mutex));
		if (i / 3 == 1 || i / 3 == 2) {
			SHOW(pthread_mutex_unlock(&mutex));
			SHOW(pthread_mutex_unlock(&mutex));
		}
		contended(1);
		contended(0);
		SHOW(pthread_mutex_destroy(&mutex));
	}
}

static void *dies(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&mutex);
	return NULL;
}

static void robust(int protocol)
{
	make(PTHREAD_MUTEX_NORMAL, protocol, PTHREAD_MUTEX_ROBUST);
	joined(fifo_thread(60, dies, NULL));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	joined(fifo_thread(60, dies, NULL));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_destroy(&mutex));
}

static void *run(void *argument)
{
	(void)argument;
	SHOW(is_task_if_expected());
	every_kind();
	robust(PTHREAD_PRIO_NONE);
	robust(PTHREAD_PRIO_INHERIT);
	SHOW(pthread_mutex_lock(&constant));
	SHOW(pthread_mutex_unlock(&constant));
	SHOW(is_task_if_expected());
	return NULL;
}

/* Two threads alternate by unlocking what the other one locked, as ptsematest does. */
static void *waits(void *name)
{
	pthread_mutex_lock(&mutex);
	printf("%s\n", (const char *)name);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* A waiter keeps its place when the owner unlocks one of two locks. */
static void *owns_twice(void *argument)
{
	pthread_t first, second;

	(void)argument;
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	first = fifo_thread(45, waits, "first");
	usleep(20000);
	second = fifo_thread(45, waits, "second");
	usleep(20000);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_unlock(&mutex);
	joined(first);
	joined(second);
	return NULL;
}

static pthread_mutex_t ping, pong;

static void *answers(void *argument)
{
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&ping);
		pthread_mutex_unlock(&pong);
	}
	return argument;
}

static void *asks(void *argument)
{
	for (int i = 0; i < 200; i++) {
		pthread_mutex_unlock(&ping);
		pthread_mutex_lock(&pong);
	}
	return argument;
}

static void taking_turns(void)
{
	pthread_t threads[2];

	pthread_mutex_init(&ping, NULL);
	pthread_mutex_init(&pong, NULL);
	pthread_mutex_lock(&ping);
	pthread_mutex_lock(&pong);
	threads[0] = fifo_thread(40, answers, (void *)1);
	threads[1] = fifo_thread(41, asks, (void *)2);
	SHOW((long)joined(threads[0]));
	SHOW((long)joined(threads[1]));
}

int main(void)
{
	sem_init(&locked, 0, 0);
	sem_init(&go_on, 0, 0);
	joined(fifo_thread(50, run, NULL));
	taking_turns();
	for (int protocol = PTHREAD_PRIO_NONE; protocol <= PTHREAD_PRIO_PROTECT; protocol++) {
		make(PTHREAD_MUTEX_RECURSIVE, protocol, PTHREAD_MUTEX_STALLED);
		joined(fifo_thread(30, owns_twice, NULL));
		pthread_mutex_destroy(&mutex);
	}
	return 0;
}
