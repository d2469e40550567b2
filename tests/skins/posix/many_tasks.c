/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Many tasks wait while others are made, call Linux, and end. The cost of that does not grow with
 * the number of waiters, because it does not wake them. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

#define WAITERS 500
#define MADE    200
#define CALLS   2000
#define ONE_OF  8 /* at most one in so many is woken for each birth or call */

static sem_t over, there;
static _Atomic int tasks;

static void *waits(void *argument)
{
	atomic_fetch_add(&tasks, is_task_if_expected());
	sem_post(&there);
	while (sem_wait(&over))
		;
	return argument;
}

static void *ends(void *argument)
{
	atomic_fetch_add(&tasks, is_task_if_expected());
	return argument;
}

static void *calls(void *argument)
{
	for (int i = 0; i < CALLS; i++) {
		(void)getppid();
		sched_yield(); /* to primary mode, which the next call leaves */
	}
	return argument;
}

/* Threads of this program that have gone to sleep. */
static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

int main(void)
{
	pthread_t waiters[WAITERS];
	long before, made, called;

	sem_init(&over, 0, 0);
	sem_init(&there, 0, 0);
	for (int i = 0; i < WAITERS; i++)
		waiters[i] = fifo_thread(10, waits, NULL);
	for (int i = 0; i < WAITERS; i++)
		sem_wait(&there);
	usleep(300000); /* the wake-ups of their births are over, and counted */
	before = sleeps();
	pthread_join(fifo_thread(20, calls, NULL), NULL);
	called = sleeps() - before;
	before = sleeps();
	for (int i = 0; i < MADE; i++)
		pthread_join(fifo_thread(20, ends, NULL), NULL);
	made = sleeps() - before;
	for (int i = 0; i < WAITERS; i++)
		sem_post(&over);
	for (int i = 0; i < WAITERS; i++)
		pthread_join(waiters[i], NULL);

	SHOW(atomic_load(&tasks));
	if (made > (long)MADE * (WAITERS / ONE_OF))
		printf("%ld sleeps of threads while %d were made beside %d\n", made, MADE, WAITERS);
	if (called > (long)CALLS * (WAITERS / ONE_OF))
		printf("%ld sleeps of threads while one called Linux %d times\n", called, CALLS);
	return 0;
}
