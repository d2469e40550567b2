/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared mutexes that real-time threads of one program, plain threads and another program's process
 * want: waiters in the nucleus and waiters in Linux all get their turn, also if the owner gives it
 * up in a wait for a shared condition.
 */
#include "check.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 200

struct shared {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int ready, waits;
	long counted;
};

static struct shared *shared;

static void make(int protocol)
{
	pthread_mutexattr_t attribute;
	pthread_condattr_t for_cond;

	memset(shared, 0, sizeof(*shared));
	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setprotocol(&attribute, protocol);
	pthread_mutex_init(&shared->mutex, &attribute);
	pthread_condattr_init(&for_cond);
	pthread_condattr_setpshared(&for_cond, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared->cond, &for_cond);
}

static void *counts(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (pthread_mutex_lock(&shared->mutex))
			return (void *)1;
		shared->counted++;
		if (i % 20 == 0)
			usleep(50);
		if (pthread_mutex_unlock(&shared->mutex))
			return (void *)2;
	}
	return argument;
}

/* Gives up soon, repeatedly: what it was woken for must go to another waiter. */
static void *tries(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct timespec soon = later(CLOCK_REALTIME, 100000);
		int error = pthread_mutex_timedlock(&shared->mutex, &soon);

		if (error && error != ETIMEDOUT)
			return (void *)1;
		if (!error)
			pthread_mutex_unlock(&shared->mutex);
	}
	return argument;
}

static void together(void)
{
	pthread_t threads[5];
	pid_t child = fork();
	int status = 0;

	if (!child)
		_exit(counts(NULL) != NULL);
	for (int i = 0; i < 3; i++)
		threads[i] = fifo_thread(20 + 5 * i, counts, NULL);
	threads[3] = other_thread(counts, NULL);
	threads[4] = fifo_thread(40, tries, NULL);
	for (int i = 0; i < 5; i++)
		SHOW((long)joined(threads[i]));
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
	SHOW(shared->counted);
}

static void *waits(void *argument)
{
	int error = pthread_mutex_lock(&shared->mutex);

	shared->waits++;
	while (!error && !shared->ready)
		error = pthread_cond_wait(&shared->cond, &shared->mutex);
	if (!error)
		error = pthread_mutex_unlock(&shared->mutex);
	(void)argument;
	return (void *)(intptr_t)error;
}

/* Waits for the mutex while its owner is about to wait for the condition. */
static void *makes_ready(void *argument)
{
	pthread_mutex_lock(&shared->mutex);
	shared->ready = 1;
	pthread_cond_broadcast(&shared->cond);
	pthread_mutex_unlock(&shared->mutex);
	return argument;
}

static void *owns(void *argument)
{
	pthread_t maker;
	int error = pthread_mutex_lock(&shared->mutex);

	maker = fifo_thread(30, makes_ready, NULL);
	usleep(5000); /* it waits for the mutex by now */
	while (!error && !shared->ready)
		error = pthread_cond_wait(&shared->cond, &shared->mutex);
	if (!error)
		error = pthread_mutex_unlock(&shared->mutex);
	joined(maker);
	(void)argument;
	return (void *)(intptr_t)error;
}

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void *cancelled(void *argument)
{
	pthread_mutex_lock(&shared->mutex);
	shared->waits++;
	pthread_cleanup_push(unlock, &shared->mutex);
	for (;;)
		pthread_cond_wait(&shared->cond, &shared->mutex);
	pthread_cleanup_pop(0);
	return argument;
}

static void until_waiting(int count)
{
	for (int waiting = 0; waiting < count; usleep(1000)) {
		pthread_mutex_lock(&shared->mutex);
		waiting = shared->waits;
		pthread_mutex_unlock(&shared->mutex);
	}
}

static void with_condition(void)
{
	pthread_t owner = fifo_thread(20, owns, NULL), waiter, gone;

	SHOW((long)joined(owner));
	shared->ready = 0;
	waiter = fifo_thread(20, waits, NULL);
	gone = fifo_thread(25, cancelled, NULL);
	until_waiting(2);
	pthread_cancel(gone);
	SHOW(joined(gone) == PTHREAD_CANCELED);
	joined(fifo_thread(30, makes_ready, NULL));
	SHOW((long)joined(waiter));
}

int main(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	for (int protocol = 0; protocol < 2; protocol++) {
		make(protocol);
		together();
		with_condition();
		/* No thread waits for it any more. */
		SHOW(pthread_mutex_trylock(&shared->mutex));
		SHOW(pthread_mutex_unlock(&shared->mutex));
	}
	return 0;
}
