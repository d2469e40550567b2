/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Barriers of real-time threads and others: no thread is early, one gets the special result, the
 * memory can be freed. */
#define _GNU_SOURCE
#include "check.h"

#define ROUNDS 300

static pthread_barrier_t barrier;
static int arrivals, early, chosen;

/* Between two barriers, the count is the sum of all threads. */
static void *meets(void *count)
{
	const int all = (int)(intptr_t)count;

	for (int round = 1; round <= ROUNDS; round++) {
		__atomic_fetch_add(&arrivals, 1, __ATOMIC_SEQ_CST);
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			__atomic_fetch_add(&chosen, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&arrivals, __ATOMIC_SEQ_CST) != round * all)
			__atomic_fetch_add(&early, 1, __ATOMIC_SEQ_CST);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void together(int real_time, int others, int shared)
{
	const int all = real_time + others;
	pthread_barrierattr_t attributes;
	pthread_t threads[8];

	pthread_barrierattr_init(&attributes);
	pthread_barrierattr_setpshared(&attributes, shared);
	SHOW(pthread_barrier_init(&barrier, &attributes, (unsigned)all));
	arrivals = early = chosen = 0;
	for (int i = 0; i < all; i++)
		threads[i] = i < real_time ? fifo_thread(20 + i % 2, meets, (void *)(intptr_t)all)
					   : other_thread(meets, (void *)(intptr_t)all);
	for (int i = 0; i < all; i++)
		joined(threads[i]);
	SHOW(early);
	SHOW(chosen);
	SHOW(pthread_barrier_destroy(&barrier));
}

static void *comes(void *argument)
{
	return (void *)(intptr_t)(pthread_barrier_wait(argument) != 0);
}

/* Any thread that has passed may destroy it at once. */
static void short_lives(void)
{
	long told = 0;

	for (int i = 0; i < 100; i++) {
		pthread_barrier_t *once = malloc(sizeof(*once));
		pthread_t thread;
		int mine;

		memset(once, 0xa5, sizeof(*once));
		pthread_barrier_init(once, NULL, 2);
		thread = i & 1 ? fifo_thread(30, comes, once) : other_thread(comes, once);
		mine = pthread_barrier_wait(once) != 0;
		pthread_barrier_destroy(once);
		memset(once, 0x5a, sizeof(*once));
		told += mine + (long)(intptr_t)joined(thread);
		free(once);
	}
	SHOW(told);
}

static void *run(void *argument)
{
	SHOW(is_task_if_expected());
	short_lives();
	pthread_barrier_init(&barrier, NULL, 1);
	SHOW(pthread_barrier_wait(&barrier));
	SHOW(pthread_barrier_wait(&barrier));
	SHOW(pthread_barrier_destroy(&barrier));
	SHOW(pthread_barrier_init(&barrier, NULL, 0));
	return argument;
}

int main(void)
{
	joined(fifo_thread(25, run, NULL));
	together(4, 0, PTHREAD_PROCESS_PRIVATE);
	together(2, 2, PTHREAD_PROCESS_PRIVATE);
	together(1, 3, PTHREAD_PROCESS_SHARED);
	return 0;
}
