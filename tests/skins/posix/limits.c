/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs at their limits: without memory or file descriptors, with every signal blocked, with
 * more real-time threads than there can be tasks. Threads that do not become tasks run as under
 * Linux. usage: limits signals|memory|files|few_files|threads
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>

static sem_t go;
static sem_t arrived;

static void *waits(void *argument)
{
	sem_post(&arrived);
	while (sem_wait(&go))
		;
	return argument;
}

static void limit(int what, rlim_t most)
{
	const struct rlimit bound = {most, most};

	SHOW(setrlimit(what, &bound));
}

/* Small stacks, as in control programs; even these are not available for all of them. */
static int make(pthread_t *thread)
{
	struct sched_param parameter = {.sched_priority = 10};
	pthread_attr_t attributes;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16384);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	error = pthread_create(thread, &attributes, waits, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

int main(int argc, char **argv)
{
	const char *which = argc == 2 ? argv[1] : "";
	static pthread_t threads[1100];
	int count = 100, ended = 0, error = 0, opened = 0;
	sigset_t all;

	sem_init(&go, 0, 0);
	sem_init(&arrived, 0, 0);
	if (!strcmp(which, "signals")) {
		sigfillset(&all);
		SHOW(sigprocmask(SIG_SETMASK, &all, NULL));
	} else if (!strcmp(which, "memory")) {
		limit(RLIMIT_AS, 200u << 20);
	} else if (!strcmp(which, "files")) {
		limit(RLIMIT_NOFILE, 40);
	} else if (!strcmp(which, "few_files")) {
		limit(RLIMIT_NOFILE, 20);
		count = 4;
	} else if (!strcmp(which, "threads")) {
		count = 1100;
	} else {
		return 2;
	}
	for (int i = 0; i < count && !error; i++)
		error = make(&threads[i]);
	if (error == EPERM)
		return 77;
	SHOW(error);
	for (int i = 0; i < count; i++)
		sem_wait(&arrived);
	for (int i = 0; i < count; i++)
		sem_post(&go);
	for (int i = 0; i < count; i++)
		ended += !pthread_join(threads[i], NULL);
	SHOW(ended);
	/* The few that are left are for the program. */
	if (!strcmp(which, "few_files")) {
		while (open("/dev/null", O_RDONLY) >= 0)
			opened++;
		SHOW(opened);
	}
	return 0;
}
