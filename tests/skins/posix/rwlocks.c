/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reader-writer locks between real-time threads and with others: exclusion, limits, errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

#define MS      1000000u
#define ROUNDS  400
#define HURRIED 10000000

static sem_t held, enough;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long written, torn;
static long first, second;

static void *uses(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_rwlock_rdlock(&lock);
		if (first != second)
			__atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
		pthread_rwlock_unlock(&lock);
		pthread_rwlock_wrlock(&lock);
		first++;
		if (i % 100 == 0)
			usleep(20);
		second++;
		written++;
		pthread_rwlock_unlock(&lock);
	}
	return argument;
}

static void together(int real_time, int others)
{
	pthread_t threads[8];

	written = torn = 0;
	for (int i = 0; i < real_time + others; i++)
		threads[i] = i < real_time ? fifo_thread(20 + 10 * (i % 2), uses, NULL)
					   : other_thread(uses, NULL);
	for (int i = 0; i < real_time + others; i++)
		joined(threads[i]);
	SHOW(written);
	SHOW(torn);
}

static void *holds(void *write)
{
	if (write ? pthread_rwlock_wrlock(&lock) : pthread_rwlock_rdlock(&lock))
		return (void *)-1;
	sem_post(&held);
	sem_wait(&enough);
	return (void *)(intptr_t)pthread_rwlock_unlock(&lock);
}

static void held_by_another(int write, int real_time)
{
	struct timespec soon, past = {.tv_sec = -5}, wrong = {.tv_nsec = 1000000000};
	void *const how = write ? &lock : NULL;
	pthread_t thread = real_time ? fifo_thread(60, holds, how) : other_thread(holds, how);

	sem_wait(&held);
	SHOW(pthread_rwlock_tryrdlock(&lock));
	if (!write)
		SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_trywrlock(&lock));
	soon = later(CLOCK_REALTIME, 3 * MS);
	SHOW(pthread_rwlock_timedwrlock(&lock, &soon));
	soon = later(CLOCK_MONOTONIC, 3 * MS);
	SHOW(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon));
	SHOW(now_ns(CLOCK_MONOTONIC) >=
	     (uint64_t)soon.tv_sec * 1000000000u + (uint64_t)soon.tv_nsec);
	SHOW(pthread_rwlock_timedwrlock(&lock, &past));
	SHOW(pthread_rwlock_timedwrlock(&lock, &wrong));
	SHOW(pthread_rwlock_clockrdlock(&lock, 77, &soon));
	soon = later(CLOCK_REALTIME, 3 * MS);
	SHOW(pthread_rwlock_timedrdlock(&lock, &soon));
	if (!write)
		SHOW(pthread_rwlock_unlock(&lock));
	sem_post(&enough);
	SHOW(pthread_rwlock_wrlock(&lock));
	SHOW(pthread_rwlock_rdlock(&lock));
	SHOW(pthread_rwlock_wrlock(&lock));
	SHOW(pthread_rwlock_tryrdlock(&lock));
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW((intptr_t)joined(thread));
}

static void *writes(void *argument)
{
	struct timespec soon = later(CLOCK_REALTIME, 20 * MS);

	if (argument)
		return (void *)(intptr_t)pthread_rwlock_timedwrlock(&lock, &soon);
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

/* A kind that lets waiting writers go first, and one that gives up. */
static void writers_first(void)
{
	pthread_rwlockattr_t attributes;
	pthread_t thread;

	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	SHOW(pthread_rwlock_init(&lock, &attributes));
	SHOW(pthread_rwlock_rdlock(&lock));
	thread = fifo_thread(60, writes, NULL);
	usleep(5000);
	SHOW(pthread_rwlock_tryrdlock(&lock));
	SHOW(pthread_rwlock_unlock(&lock));
	joined(thread);
	SHOW(pthread_rwlock_rdlock(&lock));
	thread = fifo_thread(60, writes, &lock);
	usleep(5000);
	SHOW(pthread_rwlock_rdlock(&lock)); /* once the writer has given up */
	SHOW((intptr_t)joined(thread) == ETIMEDOUT);
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_destroy(&lock));
	pthread_rwlock_init(&lock, NULL);
}

static void *hurries(void *write)
{
	for (long i = 0; i < HURRIED; i++) {
		if (write)
			pthread_rwlock_wrlock(&lock);
		else
			pthread_rwlock_rdlock(&lock);
		pthread_rwlock_unlock(&lock);
	}
	return write;
}

/* One waits only for the other, which may just have gone: then neither sleeps. */
static void two_in_a_hurry(void)
{
	pthread_rwlockattr_t attributes;
	pthread_t reader, writer;

	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&lock, &attributes);
	reader = other_thread(hurries, NULL);
	writer = other_thread(hurries, &lock);
	SHOW(pthread_join(reader, NULL));
	SHOW(pthread_join(writer, NULL));
	SHOW(pthread_rwlock_destroy(&lock));
	pthread_rwlock_init(&lock, NULL);
}

static void *run(void *argument)
{
	SHOW(is_task_if_expected());
	for (int i = 0; i < 4; i++)
		held_by_another(i & 1, i & 2);
	writers_first();
	SHOW(is_task_if_expected());
	return argument;
}

int main(void)
{
	sem_init(&held, 0, 0);
	sem_init(&enough, 0, 0);
	joined(fifo_thread(50, run, NULL));
	/* Two real-time threads on one CPU may hang in the C library itself: here they must not. */
	together(expected_task() ? 3 : 1, expected_task() ? 2 : 4);
	together(1, 3);
	two_in_a_hurry();
	return 0;
}
