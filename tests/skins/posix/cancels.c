/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread of low priority cancels one of high priority, which ends at once, although from there on
 * a thread of medium priority computes. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"

#define LONG_NS 300000000u

static sem_t never, begin;
static _Atomic int over, in_time, cancelled;

static void goes(void *unused)
{
	(void)unused;
	sem_post(&begin);
}

static void *is_cancelled(void *argument)
{
	pthread_cleanup_push(goes, NULL);
	sem_wait(&never);
	pthread_cleanup_pop(0);
	return argument;
}

static void *joins(void *thread)
{
	void *result = joined(*(pthread_t *)thread);

	atomic_store(&over, 1);
	return result;
}

static void *computes(void *argument)
{
	uint64_t end_ns;

	sem_wait(&begin);
	end_ns = now_ns(CLOCK_MONOTONIC) + LONG_NS;
	while (!atomic_load(&over) && now_ns(CLOCK_MONOTONIC) < end_ns)
		;
	atomic_store(&in_time, atomic_load(&over));
	return argument;
}

static void *cancels(void *thread)
{
	SHOW(is_task_if_expected());
	atomic_store(&cancelled, !pthread_cancel(*(pthread_t *)thread));
	return NULL;
}

int main(void)
{
	pthread_t urgent, joiner, between;

	stay_on_one_cpu();
	sem_init(&never, 0, 0);
	sem_init(&begin, 0, 0);
	urgent = fifo_thread(50, is_cancelled, NULL);
	joiner = fifo_thread(60, joins, &urgent);
	between = fifo_thread(30, computes, NULL);
	usleep(50000); /* until they wait */
	joined(fifo_thread(10, cancels, &urgent));
	SHOW(joined(joiner) == PTHREAD_CANCELED);
	joined(between);
	SHOW(atomic_load(&cancelled));
	/* In Linux, its end waits for the thread that cancels it, in the middle of the C library's
	 * work. */
	SHOW(atomic_load(&in_time) || !expected_task());
	return 0;
}
