/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers that wait in the middle of a wait that continues after them: for a mutex, a condition, a
 * lock, a barrier. Neither a wake-up that comes meanwhile nor a later one is missed, in either
 * wait.
 */
#include "check.h"

#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define ROUNDS 5

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inheriting;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t begun, in_handler, over;
static int event, turn, handled;

/* A thread that waits too long has missed it. */
static struct timespec in_two_s(void)
{
	struct timespec then;

	clock_gettime(CLOCK_REALTIME, &then);
	then.tv_sec += 2;
	return then;
}

static long lock(pthread_mutex_t *which)
{
	const struct timespec then = in_two_s();
	int error = pthread_mutex_timedlock(which, &then);

	if (!error)
		pthread_mutex_unlock(which);
	return error;
}

static void hold_mutex(void)
{
	pthread_mutex_lock(&mutex);
}

static long wait_for_mutex(int round)
{
	(void)round;
	return lock(&mutex);
}

static void free_mutex(void)
{
	pthread_mutex_unlock(&mutex);
}

static void hold_inheriting(void)
{
	pthread_mutex_lock(&inheriting);
}

static long wait_for_inheriting(int round)
{
	(void)round;
	return lock(&inheriting);
}

static void free_inheriting(void)
{
	pthread_mutex_unlock(&inheriting);
}

static void nothing(void)
{
}

static long wait_for_turn(int round)
{
	const struct timespec then = in_two_s();
	int error = 0;

	pthread_mutex_lock(&mutex);
	while (turn <= round && !error)
		error = pthread_cond_timedwait(&cond, &mutex, &then);
	pthread_mutex_unlock(&mutex);
	return error;
}

static void give_turn(void)
{
	pthread_mutex_lock(&mutex);
	turn++;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&cond);
}

static void hold_rwlock(void)
{
	pthread_rwlock_wrlock(&rwlock);
}

static long wait_to_read(int round)
{
	const struct timespec then = in_two_s();
	int error = round % 2 ? pthread_rwlock_timedrdlock(&rwlock, &then)
			      : pthread_rwlock_timedwrlock(&rwlock, &then);

	if (!error)
		pthread_rwlock_unlock(&rwlock);
	return error;
}

static void free_rwlock(void)
{
	pthread_rwlock_unlock(&rwlock);
}

static long meet(int round)
{
	(void)round;
	return pthread_barrier_wait(&barrier) > 0;
}

static void come(void)
{
	pthread_barrier_wait(&barrier);
}

static const struct way {
	const char *name;
	void (*hold)(void);
	long (*wait)(int round);
	void (*detach)(void);
} ways[] = {
	{"mutex", hold_mutex, wait_for_mutex, free_mutex},
	{"inheriting mutex", hold_inheriting, wait_for_inheriting, free_inheriting},
	{"condition", nothing, wait_for_turn, give_turn},
	{"reader-writer lock", hold_rwlock, wait_to_read, free_rwlock},
	{"barrier", nothing, meet, come},
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

/* Once for a time, once for an event that never comes, once for one that comes. */
static void handle(int signal)
{
	struct pollfd file = {.fd = event, .events = POLLIN};
	const int former = errno;
	uint64_t value;

	(void)signal;
	sem_post(&in_handler);
	(void)poll(&file, 1, 2);
	(void)poll(&file, 1, -1);
	handled += read(event, &value, sizeof(value)) == sizeof(value);
	errno = former;
}

static void *wait_often(void *which)
{
	const struct way *way = which;
	long result = 0;

	for (int round = 0; round < ROUNDS; round++) {
		sem_wait(&begun);
		result |= way->wait(round);
		sem_post(&over);
	}
	return (void *)result;
}

/* Freed while the handler runs, or after it. */
static void try(const struct way *way)
{
	pthread_t waiter;

	turn = handled = 0;
	waiter = fifo_thread(20, wait_often, (void *)(uintptr_t)way);
	for (int round = 0; round < ROUNDS; round++) {
		way->hold();
		sem_post(&begun);
		usleep(2000);
		pthread_kill(waiter, SIGUSR1);
		sem_wait(&in_handler);
		usleep(4000);
		if (round % 2)
			way->detach();
		eventfd_write(event, 1);
		usleep(2000);
		if (round % 2 == 0)
			way->detach();
		sem_wait(&over);
	}
	printf("%s: %ld\n", way->name, (long)(intptr_t)joined(waiter));
	SHOW(handled);
}

static void *tries(void *unused)
{
	(void)unused;
	SHOW(is_task_if_expected());
	for (size_t i = 0; i < WAYS; i++)
		try(&ways[i]);
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	pthread_mutexattr_t attribute;

	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setprotocol(&attribute, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&inheriting, &attribute);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&begun, 0, 0);
	sem_init(&in_handler, 0, 0);
	sem_init(&over, 0, 0);
	event = eventfd(0, 0);
	sigaction(SIGUSR1, &action, NULL);
	joined(fifo_thread(30, tries, NULL));
	return 0;
}
