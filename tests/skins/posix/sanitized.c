/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that is built with a sanitizer, which is also in front of the C library. usage:
 * sanitized task|thread: what its real-time threads must be. */
#define _GNU_SOURCE

#include "check.h"

#define ROUNDS  100
#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void *beat(void *served)
{
	const struct timespec pause = {.tv_nsec = 100000};

	for (int i = 0; i < ROUNDS; i++) {
		char *block = malloc(100 + (size_t)i);

		block[i] = 1;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		pthread_mutex_lock(&mutex);
		count += block[i];
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&mutex);
		free(block);
	}
	return (void *)(intptr_t)(served ? is_task_if_expected() : is_no_task());
}

int main(int argc, char **argv)
{
	void *served = argc > 1 && !strcmp(argv[1], "task") ? argv : NULL;
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		threads[i] = fifo_thread(50, beat, served);
	pthread_mutex_lock(&mutex);
	while (count < THREADS * ROUNDS)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < THREADS; i++)
		SHOW((long)joined(threads[i]));
	SHOW(count);
	return 0;
}
