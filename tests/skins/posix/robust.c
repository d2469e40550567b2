/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Robust mutexes whose owners end: real-time and plain ones, while tasks wait. */
#include "check.h"

#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t locked, tried;

static void make(int type, int protocol)
{
	pthread_mutexattr_t attribute;

	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_settype(&attribute, type);
	pthread_mutexattr_setprotocol(&attribute, protocol);
	SHOW(pthread_mutex_init(&mutex, &attribute));
}

static void *ends(void *argument)
{
	pthread_mutex_lock(&mutex);
	sem_post(&locked);
	sem_wait(&tried);
	usleep(20000);
	return argument;
}

/* 0, or the place of the mistake. */
static int take(void)
{
	struct timespec soon = later(CLOCK_REALTIME, 1000000), late;

	if (pthread_mutex_timedlock(&mutex, &soon) != ETIMEDOUT)
		return 1;
	sem_post(&tried);
	late = later(CLOCK_REALTIME, 20000000000u);
	if (pthread_mutex_timedlock(&mutex, &late) != EOWNERDEAD)
		return 2;
	if (pthread_mutex_consistent(&mutex) || pthread_mutex_unlock(&mutex))
		return 3;
	return pthread_mutex_lock(&mutex) || pthread_mutex_unlock(&mutex) ? 4 : 0;
}

static void *waits(void *argument)
{
	sem_wait(&locked);
	(void)argument;
	return (void *)(intptr_t)take();
}

static void *waits_for_condition(void *argument)
{
	int error = pthread_mutex_lock(&mutex);

	if (!error)
		sem_post(&locked);
	if (!error)
		error = pthread_cond_wait(&cond, &mutex);
	(void)argument;
	return (void *)(intptr_t)error;
}

static void *signals_and_ends(void *argument)
{
	sem_wait(&locked);
	pthread_mutex_lock(&mutex);
	pthread_cond_signal(&cond);
	return argument;
}

static void *gives_up(void *argument)
{
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
		pthread_mutex_unlock(&mutex);
	(void)argument;
	return (void *)(intptr_t)pthread_mutex_lock(&mutex);
}

static void each(int type, int protocol)
{
	pthread_t owner;

	make(type, protocol);
	owner = fifo_thread(20, ends, NULL);
	SHOW((long)joined(fifo_thread(30, waits, NULL)));
	joined(owner);
	owner = other_thread(ends, NULL);
	SHOW((long)joined(fifo_thread(30, waits, NULL)));
	joined(owner);
	owner = fifo_thread(20, ends, NULL);
	SHOW((long)joined(other_thread(waits, NULL)));
	joined(owner);
	SHOW(pthread_mutex_destroy(&mutex));
}

int main(void)
{
	pthread_t waiter;

	sem_init(&locked, 0, 0);
	sem_init(&tried, 0, 0);
	each(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
	each(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
	each(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
	each(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
	waiter = fifo_thread(30, waits_for_condition, NULL);
	joined(fifo_thread(20, signals_and_ends, NULL));
	SHOW((long)joined(waiter));
	/* No thread has made it consistent. */
	SHOW((long)joined(fifo_thread(20, gives_up, NULL)));
	return 0;
}
