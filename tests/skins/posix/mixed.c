/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time threads and others on the same objects, thousands of times in every mixture: nothing is
 * lost, and nothing hangs. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

#define THREADS 6
#define ROUNDS  150
#define ROOM    3

static pthread_mutex_t mutex;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static sem_t room, items;
static long stored, sum, counter;

static void *counts(void *argument)
{
	(void)argument;
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		counter++;
		if (i % 64 == 0)
			usleep(20);
		pthread_mutex_unlock(&mutex);
		if (i % 32 == 0)
			usleep(50);
	}
	return NULL;
}

static void *produces(void *argument)
{
	(void)argument;
	for (long i = 1; i <= ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		while (stored == ROOM)
			pthread_cond_wait(&not_full, &mutex);
		stored++;
		sum += i;
		if (i & 1)
			pthread_cond_signal(&not_empty);
		else
			pthread_cond_broadcast(&not_empty);
		pthread_mutex_unlock(&mutex);
		if (i % 50 == 0)
			usleep(50);
	}
	return NULL;
}

static void *consumes(void *argument)
{
	(void)argument;
	for (long i = 1; i <= ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		while (!stored)
			pthread_cond_wait(&not_empty, &mutex);
		stored--;
		sum -= i;
		pthread_cond_signal(&not_full);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *puts_items(void *argument)
{
	(void)argument;
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&room);
		__atomic_fetch_add(&stored, 1, __ATOMIC_SEQ_CST);
		sem_post(&items);
	}
	return NULL;
}

static void *takes_items(void *argument)
{
	(void)argument;
	for (int i = 0; i < ROUNDS; i++) {
		struct timespec until = later(CLOCK_REALTIME, (uint64_t)(i % 3) * 1000000000u);

		while (i % 3 ? sem_timedwait(&items, &until) : sem_wait(&items))
			;
		__atomic_fetch_sub(&stored, 1, __ATOMIC_SEQ_CST);
		sem_post(&room);
	}
	return NULL;
}

/* Bit i of the mixture: thread i is real-time. */
static void run(int mixture, void *(*even)(void *), void *(*odd)(void *))
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		void *(*entry)(void *) = i & 1 ? odd : even;

		if (mixture >> i & 1)
			threads[i] = fifo_thread(10 + i, entry, NULL);
		else
			pthread_create(&threads[i], NULL, entry, NULL);
	}
	for (int i = 0; i < THREADS; i++)
		joined(threads[i]);
}

int main(void)
{
	static const int mixtures[] = {0x3f, 0x15, 0x2a, 0x07, 0x38, 0x1e};
	static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT};

	for (size_t i = 0; i < 12; i++) {
		pthread_mutexattr_t attributes;
		int mixture = mixtures[i % 6];

		printf("mixture %x, protocol %d\n", mixture, protocols[i / 6]);
		fflush(stdout);
		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_setprotocol(&attributes, protocols[i / 6]);
		pthread_mutex_init(&mutex, &attributes);
		counter = stored = sum = 0;
		run(mixture, counts, counts);
		SHOW(counter);
		run(mixture, produces, consumes);
		SHOW(stored);
		SHOW(sum);
		sem_init(&room, 0, ROOM);
		sem_init(&items, 0, 0);
		run(mixture, puts_items, takes_items);
		SHOW(stored);
		pthread_mutex_destroy(&mutex);
	}
	return 0;
}
