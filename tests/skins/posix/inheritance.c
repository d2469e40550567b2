/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who runs when among real-time threads of one CPU: an owner inherits, along chains too, and a
 * semaphore's post preempts. Order is recorded as marks.
 */
#define _GNU_SOURCE
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t first, second;
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
	pthread_mutex_lock(&first);
	sem_post(&go[1]); /* owns second, waits for first */
	sem_post(&go[3]); /* waits for second */
	sem_post(&go[2]); /* wants nothing */
	mark('l');
	pthread_mutex_unlock(&first);
	mark('e');
	sem_post(&ended);
	return NULL;
}

static void *chained(void *argument)
{
	(void)argument;
	sem_wait(&go[1]);
	pthread_mutex_lock(&second);
	pthread_mutex_lock(&first);
	mark('c');
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
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
	pthread_mutex_lock(&second);
	mark('h');
	pthread_mutex_unlock(&second);
	sem_post(&ended);
	return NULL;
}

static void run(int protocol, int type)
{
	pthread_mutexattr_t attributes;
	pthread_t threads[4];

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutex_init(&first, &attributes);
	pthread_mutex_init(&second, &attributes);
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
	printf("protocol %d, type %d: %s\n", protocol, type, marks);
	SHOW(pthread_mutex_destroy(&first));
	SHOW(pthread_mutex_destroy(&second));
}

int main(void)
{
	stay_on_one_cpu();
	for (int type = 0; type < 3; type++) {
		run(PTHREAD_PRIO_INHERIT, type);
		run(PTHREAD_PRIO_NONE, type);
	}
	return 0;
}
