/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread calls exit() while others wait: none of them notices it. A joiner sees no end, and no
 * destructor of thread-local data runs. Source: POSIX.1-2017, exit(). */
#define _GNU_SOURCE
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static pthread_key_t key;
static sem_t sem;
static pthread_barrier_t all;

static void ends(void *what)
{
	printf("%s has ended\n", (const char *)what);
}

static void *locks(void *what)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	pthread_setspecific(key, what);
	pthread_mutex_lock(&mutex);
	pthread_barrier_wait(&all);
	pthread_mutex_lock(&mutex);
	puts("locked twice");
	return NULL;
}

static void *waits(void *what)
{
	pthread_setspecific(key, what);
	pthread_barrier_wait(&all);
	sem_wait(&sem);
	puts("woken");
	return NULL;
}

static void *joins(void *what)
{
	pthread_t thread = fifo_thread(30, waits, (void *)"what is joined");

	pthread_setspecific(key, what);
	pthread_barrier_wait(&all);
	joined(thread);
	puts("joined");
	return NULL;
}

static void *leaves(void *argument)
{
	(void)argument;
	pthread_barrier_wait(&all);
	usleep(50000);
	exit(3);
}

static void at_exit(void)
{
	puts("exit");
	usleep(50000);
}

int main(void)
{
	struct sched_param parameter = {.sched_priority = 10};
	pthread_t thread;

	atexit(at_exit);
	pthread_key_create(&key, ends);
	pthread_barrier_init(&all, NULL, 5);
	sem_init(&sem, 0, 0);
	SHOW(sched_setscheduler(0, SCHED_FIFO, &parameter));
	thread = fifo_thread(20, locks, (void *)"who locks");
	fifo_thread(20, joins, (void *)"who joins");
	other_thread(leaves, NULL);
	pthread_barrier_wait(&all);
	SHOW(is_task_if_expected());
	joined(thread);
	puts("main has joined");
	return 1;
}
