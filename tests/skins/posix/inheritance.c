/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The order of execution among real-time threads of one CPU: an owner inherits, also along chains,
 * whatever the kind of its mutex, and however many other mutexes there were; and a semaphore's post
 * preempts. Order is recorded as marks.
 */
#define _GNU_SOURCE
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

#define MANY 8500

static pthread_mutex_t mutexes[2], many[MANY];
static pthread_mutex_t *first = &mutexes[0], *second = &mutexes[1];
static sem_t go[4], ended;
static char marks[32];

static void mark(char c)
{
	size_t length = strlen(marks);

	marks[length] = c;
	marks[length + 1] = 0;
}

static void *low(void *argument)
{
	(void)argument;
	sem_wait(&go[0]);
	pthread_mutex_lock(first);
	sem_post(&go[1]); /* owns second, waits for first */
	sem_post(&go[3]); /* waits for second */
	sem_post(&go[2]); /* wants nothing */
	mark('l');
	pthread_mutex_unlock(first);
	mark('e');
	sem_post(&ended);
	return NULL;
}

static void *chained(void *argument)
{
	(void)argument;
	sem_wait(&go[1]);
	pthread_mutex_lock(second);
	pthread_mutex_lock(first);
	mark('c');
	pthread_mutex_unlock(first);
	pthread_mutex_unlock(second);
	mark('d');
	sem_post(&ended);
	return NULL;
}

static void *medium(void *argument)
{
	(void)argument;
	sem_wait(&go[2]);
	mark('m');
	sem_post(&ended);
	return NULL;
}

static void *high(void *argument)
{
	(void)argument;
	sem_wait(&go[3]);
	pthread_mutex_lock(second);
	mark('h');
	pthread_mutex_unlock(second);
	sem_post(&ended);
	return NULL;
}

struct kind {
	int protocol, type, robust, shared;
};

static void make(pthread_mutex_t *mutex, const struct kind *kind)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, kind->protocol);
	pthread_mutexattr_settype(&attributes, kind->type);
	pthread_mutexattr_setrobust(&attributes, kind->robust);
	pthread_mutexattr_setpshared(&attributes, kind->shared);
	pthread_mutex_init(mutex, &attributes);
}

static void run(struct kind kind)
{
	pthread_t threads[4];

	make(first, &kind);
	make(second, &kind);
	for (int i = 0; i < 4; i++)
		sem_init(&go[i], 0, 0);
	sem_init(&ended, 0, 0);
	marks[0] = 0;
	threads[0] = fifo_thread(10, low, NULL);
	threads[1] = fifo_thread(20, chained, NULL);
	threads[2] = fifo_thread(30, medium, NULL);
	threads[3] = fifo_thread(40, high, NULL);
	usleep(100000); /* all wait by now */
	sem_post(&go[0]);
	for (int i = 0; i < 4; i++)
		sem_wait(&ended);
	for (int i = 0; i < 4; i++)
		joined(threads[i]);
	printf("protocol %d, type %d, robust %d, shared %d: %s\n", kind.protocol, kind.type,
	       kind.robust, kind.shared, marks);
	SHOW(pthread_mutex_destroy(first));
	SHOW(pthread_mutex_destroy(second));
}

static void *lock_all(void *argument)
{
	int well = 0;

	for (int i = 0; i < MANY; i++)
		well += !pthread_mutex_lock(&many[i]) && !pthread_mutex_unlock(&many[i]);
	SHOW(well);
	return argument;
}

/* And then with two mutexes that no task has locked before. */
static void run_after_many(void)
{
	const struct kind kind = {.protocol = PTHREAD_PRIO_INHERIT};

	for (int i = 0; i < MANY; i++)
		make(&many[i], &kind);
	joined(fifo_thread(10, lock_all, NULL));
	first = &many[MANY - 1];
	second = &mutexes[1];
	run(kind);
}

int main(void)
{
	stay_on_one_cpu();
	for (int type = 0; type < 3; type++) {
		run((struct kind){.protocol = PTHREAD_PRIO_INHERIT, .type = type});
		run((struct kind){.protocol = PTHREAD_PRIO_NONE, .type = type});
	}
	for (int shared = 0; shared < 2; shared++)
		for (int robust = 0; robust < 2; robust++)
			run((struct kind){PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_NORMAL, robust,
					  shared});
	run_after_many();
	return 0;
}
