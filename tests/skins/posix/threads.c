/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ends of real-time threads: return, pthread_exit(), cancellation, fork, and exit() from one. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static pthread_key_t key;
static _Thread_local int own;

static void destroy(void *value)
{
	printf("destroyed %ld, a plain thread: %d\n", (long)value, is_no_task());
}

static void *returns(void *argument)
{
	own++;
	pthread_setspecific(key, argument);
	return argument;
}

static void *exits(void *argument)
{
	pthread_setspecific(key, argument);
	pthread_exit(argument);
}

static void cleaned(void *argument)
{
	(void)argument;
	printf("cleaned up\n");
}

static void *sleeps(void *argument)
{
	struct timespec long_time = {.tv_sec = 30};

	pthread_cleanup_push(cleaned, argument);
	sem_post(argument);
	nanosleep(&long_time, NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

/* Cancelled before it sleeps: its first cancellation point ends it. */
static void *sleeps_late(void *argument)
{
	struct timespec long_time = {.tv_sec = 30};

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	sem_post(argument);
	nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	printf("survived\n");
	fflush(stdout);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	nanosleep(&long_time, NULL);
	printf("never here\n");
	return NULL;
}

static void cancelled(void *(*entry)(void *))
{
	static sem_t ready;
	pthread_t thread;
	int error;

	sem_init(&ready, 0, 0);
	thread = fifo_thread(30, entry, &ready);
	sem_wait(&ready);
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	error = pthread_cancel(thread);
	SHOW(joined(thread) == PTHREAD_CANCELED);
	SHOW(error);
}

static void *forks(void *argument)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		struct sched_param parameter = {.sched_priority = 3};
		struct timespec moment = {.tv_nsec = 1000000};

		SHOW(is_no_task());
		SHOW(sched_getscheduler(0));
		SHOW(sched_setscheduler(0, SCHED_FIFO, &parameter));
		SHOW(nanosleep(&moment, NULL));
		SHOW(sched_getscheduler(0));
		_exit(5);
	}
	waitpid(child, &status, 0);
	SHOW(WEXITSTATUS(status));
	SHOW(is_task_if_expected());
	return argument;
}

static void *leaves(void *argument)
{
	(void)argument;
	fflush(stdout);
	exit(9);
}

static void *tells_stack(void *argument)
{
	pthread_attr_t attributes;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return NULL;
	pthread_attr_getstacksize(&attributes, argument);
	pthread_attr_destroy(&attributes);
	return NULL;
}

/* A stack that is made larger, which is not reported. */
static void small_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	size_t bytes = 0;

	pthread_attr_init(&attributes);
	SHOW(pthread_attr_setstacksize(&attributes, 32768));
	SHOW(pthread_create(&thread, &attributes, tells_stack, &bytes));
	joined(thread);
	SHOW(bytes);
	pthread_attr_destroy(&attributes);
}

int main(void)
{
	pthread_key_create(&key, destroy);
	SHOW(key);
	small_stack();
	SHOW((long)joined(fifo_thread(10, returns, (void *)1)));
	SHOW((long)joined(fifo_thread(10, exits, (void *)2)));
	SHOW(own);
	cancelled(sleeps);
	cancelled(sleeps_late);
	SHOW((long)joined(fifo_thread(10, forks, (void *)4)));
	joined(fifo_thread(10, leaves, NULL));
	return 1;
}
