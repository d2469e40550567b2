/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plain threads that come and go, more at once than one block of masks holds. */
#define _GNU_SOURCE
#include "deny.h"

#include <pthread.h>

#define THREADS 80

static pthread_barrier_t all_live;

static void *meet_all(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&all_live);
	return NULL;
}

bool make_threads(void)
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&all_live, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, meet_all, NULL))
			return false;
	pthread_barrier_wait(&all_live);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&all_live);
	return true;
}
