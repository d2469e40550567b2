/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes with a priority ceiling between real-time threads: an owner runs at the ceiling, nested
 * ceilings add up, and wrong calls are refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t low_ceiling, high_ceiling;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static char order[64];
static sem_t held, enough;
static long counted;

static void make(pthread_mutex_t *mutex, int type, int ceiling)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	SHOW(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT));
	SHOW(pthread_mutexattr_setprioceiling(&attributes, ceiling));
	SHOW(pthread_mutex_init(mutex, &attributes));
}

static void mark(const char *what)
{
	strcat(order, what);
}

static sem_t go[2];

static void *marks(void *which)
{
	const int high = which != NULL;

	sem_post(&held);
	sem_wait(&go[high]);
	mark(high ? "h" : "m");
	return NULL;
}

/* Threads of priority 30 and 50 run when the caller, of 20, is below them again. */
static void others_wait(void)
{
	pthread_t threads[2];

	order[0] = 0;
	for (int i = 0; i < 2; i++) {
		sem_init(&go[i], 0, 0);
		threads[i] = fifo_thread(30 + 20 * i, marks, i ? go : NULL);
		sem_wait(&held);
	}
	usleep(5000); /* both wait by now */
	pthread_mutex_lock(&low_ceiling);
	sem_post(&go[0]);
	mark("1");
	pthread_mutex_lock(&high_ceiling);
	sem_post(&go[1]);
	mark("2");
	pthread_mutex_unlock(&high_ceiling);
	mark("3");
	pthread_mutex_unlock(&low_ceiling);
	mark("4");
	for (int i = 0; i < 2; i++)
		joined(threads[i]);
	printf("order %s\n", order);
	fflush(stdout);
}

/* One of the caller's own 20 becomes ready meanwhile: the caller was before it, and stays so. */
static void equal_waits(void)
{
	pthread_t thread;

	order[0] = 0;
	sem_init(&go[0], 0, 0);
	thread = fifo_thread(20, marks, NULL);
	sem_wait(&held);
	usleep(5000);
	pthread_mutex_lock(&low_ceiling);
	sem_post(&go[0]);
	mark("1");
	pthread_mutex_unlock(&low_ceiling);
	mark("2");
	joined(thread);
	printf("order %s\n", order);
	fflush(stdout);
}

static pthread_mutex_t changing;
static int waiters_error;

/* Waits for the mutex while its ceiling changes, and then runs at the new one. */
static void *waits_and_marks(void *argument)
{
	sem_post(&held);
	waiters_error = pthread_mutex_lock(&changing);
	if (waiters_error)
		return argument;
	sem_post(&go[1]);
	mark("w");
	pthread_mutex_unlock(&changing);
	return argument;
}

/* A thread of 50 preempts a waiter of 20 that has the mutex with its first ceiling, but not with
 * its second one. */
static void ceiling_changes(int to)
{
	pthread_t waiter, other;
	int former = 0;

	make(&changing, PTHREAD_MUTEX_RECURSIVE, 45);
	order[0] = 0;
	sem_init(&go[1], 0, 0);
	other = fifo_thread(50, marks, go);
	sem_wait(&held);
	SHOW(pthread_mutex_lock(&changing));
	waiter = fifo_thread(20, waits_and_marks, NULL);
	sem_wait(&held);
	usleep(5000); /* it waits by now */
	SHOW(pthread_mutex_setprioceiling(&changing, 100, &former));
	SHOW(pthread_mutex_setprioceiling(&changing, to, &former));
	SHOW(former);
	SHOW(pthread_mutex_unlock(&changing));
	joined(waiter);
	SHOW(waiters_error);
	if (waiters_error)
		sem_post(&go[1]);
	joined(other);
	printf("order %s\n", order);
	fflush(stdout);
	SHOW(pthread_mutex_lock(&changing));
	SHOW(pthread_mutex_unlock(&changing));
	SHOW(pthread_mutex_destroy(&changing));
}

static void *above(void *argument)
{
	SHOW(pthread_mutex_lock(&low_ceiling));
	SHOW(pthread_mutex_trylock(&low_ceiling));
	return argument;
}

static void *holds(void *argument)
{
	if (pthread_mutex_lock(&high_ceiling))
		return (void *)-1;
	sem_post(&held);
	sem_wait(&enough);
	(void)argument;
	return (void *)(intptr_t)pthread_mutex_unlock(&high_ceiling);
}

static void held_by_another(void)
{
	pthread_t thread = fifo_thread(25, holds, NULL);
	struct timespec soon, wrong = {.tv_nsec = -1};

	sem_wait(&held);
	SHOW(pthread_mutex_trylock(&high_ceiling));
	soon = later(CLOCK_REALTIME, 3000000);
	SHOW(pthread_mutex_timedlock(&high_ceiling, &soon));
	SHOW(pthread_mutex_timedlock(&high_ceiling, &wrong));
	soon = later(CLOCK_MONOTONIC, 3000000);
	SHOW(pthread_mutex_clocklock(&high_ceiling, CLOCK_MONOTONIC, &soon));
	sem_post(&enough);
	SHOW(pthread_mutex_lock(&high_ceiling));
	SHOW(pthread_mutex_unlock(&high_ceiling));
	SHOW((intptr_t)joined(thread));
}

static void types(void)
{
	pthread_mutex_t mutex;
	int ceiling = 0;

	make(&mutex, PTHREAD_MUTEX_RECURSIVE, 40);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_trylock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_destroy(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_destroy(&mutex));
	make(&mutex, PTHREAD_MUTEX_ERRORCHECK, 40);
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_trylock(&mutex));
	SHOW(pthread_mutex_getprioceiling(&mutex, &ceiling));
	SHOW(ceiling);
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_setprioceiling(&mutex, 45, &ceiling));
	SHOW(ceiling);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
}

static void *counts(void *argument)
{
	for (int i = 0; i < 300; i++) {
		pthread_mutex_lock(&high_ceiling);
		counted++;
		if (i % 30 == 0)
			usleep(30);
		pthread_mutex_unlock(&high_ceiling);
	}
	return argument;
}

static void together(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		threads[i] =
			i < 3 ? fifo_thread(20 + i * 5, counts, NULL) : other_thread(counts, NULL);
	for (int i = 0; i < 4; i++)
		joined(threads[i]);
	SHOW(counted);
}

/* A thread that one ceiling raised may lock another mutex whose ceiling is below that, but not
 * below its own priority. */
static void *one_after_the_other(void *argument)
{
	struct sched_param parameter;

	SHOW(pthread_mutex_lock(&high_ceiling));
	SHOW(pthread_mutex_lock(&low_ceiling));
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
	SHOW(pthread_mutex_unlock(&high_ceiling));
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
	SHOW(pthread_mutex_unlock(&low_ceiling));
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
	return argument;
}

static void *run(void *argument)
{
	struct sched_param parameter = {.sched_priority = 0};
	struct timespec soon;

	SHOW(is_task_if_expected());
	others_wait();
	equal_waits();
	ceiling_changes(60);
	ceiling_changes(45);
	ceiling_changes(15);
	joined(fifo_thread(41, above, NULL));
	held_by_another();
	types();
	joined(fifo_thread(20, one_after_the_other, NULL));
	soon = later(CLOCK_REALTIME, 3000000);
	SHOW(pthread_mutex_lock(&high_ceiling));
	SHOW(pthread_cond_timedwait(&cond, &high_ceiling, &soon));
	SHOW(pthread_mutex_unlock(&high_ceiling));
	/* Locked as one kind, unlocked as the other; the C library refuses such a change. */
	SHOW(pthread_mutex_lock(&high_ceiling));
	(void)pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameter);
	SHOW(is_no_task());
	SHOW(pthread_mutex_unlock(&high_ceiling));
	return argument;
}

int main(void)
{
	stay_on_one_cpu();
	sem_init(&held, 0, 0);
	sem_init(&enough, 0, 0);
	make(&low_ceiling, PTHREAD_MUTEX_NORMAL, 40);
	make(&high_ceiling, PTHREAD_MUTEX_NORMAL, 60);
	joined(fifo_thread(20, run, NULL));
	together();
	return 0;
}
