/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the nucleus serves by itself, between two real-time threads: under --deny-switch any call of
 * Linux would end the program. usage: deny WHAT; prints how often it went well.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/select.h>
#include <threads.h>
#include <unistd.h>

#include "check.h"

#define ROUNDS 50

static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t turns[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn;
static int good;

static void count(int well)
{
	__atomic_fetch_add(&good, well, __ATOMIC_RELAXED);
}

static void meet(int me)
{
	(void)me;
	pthread_barrier_wait(&barrier);
	count(1);
}

/* The one sleeps with the lock held, so that the other has to wait. */
static void lock(int me)
{
	if (me)
		pthread_rwlock_wrlock(&rwlock);
	else
		pthread_rwlock_rdlock(&rwlock);
	usleep(50);
	count(!pthread_rwlock_unlock(&rwlock));
}

static void alternate(int me)
{
	sem_wait(&turns[me]);
	count(!sem_post(&turns[!me]));
}

static void condition(int me)
{
	pthread_mutex_lock(&mutex);
	while (turn != me)
		pthread_cond_wait(&cond, &mutex);
	turn = !me;
	pthread_cond_signal(&cond);
	count(!pthread_mutex_unlock(&mutex));
}

static void pause_in(int me)
{
	struct timespec short_time = {.tv_nsec = 20000};
	struct timeval as_short = {.tv_usec = 20};

	if (me) {
		count(!select(0, NULL, NULL, NULL, &as_short) && !poll(NULL, 0, 0));
		return;
	}
	count(!pselect(0, NULL, NULL, NULL, &short_time, NULL) &&
	      !ppoll(NULL, 0, &short_time, NULL) && !thrd_sleep(&short_time, NULL));
}

static const struct {
	const char *name;
	void (*step)(int me);
} cases[] = {
	{"barrier", meet},        {"rwlock", lock},    {"semaphore", alternate},
	{"condition", condition}, {"pause", pause_in},
};

static void (*step)(int me);

static void *run(void *me)
{
	for (int i = 0; i < ROUNDS; i++)
		step((int)(intptr_t)me);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (argc == 2 && !strcmp(argv[1], cases[i].name))
			step = cases[i].step;
	if (!step)
		return 2;
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&turns[0], 0, 1);
	sem_init(&turns[1], 0, 0);
	for (int i = 0; i < 2; i++)
		threads[i] = fifo_thread(20 + 10 * i, run, (void *)(intptr_t)i);
	for (int i = 0; i < 2; i++)
		joined(threads[i]);
	printf("%d\n", good);
	return 0;
}
