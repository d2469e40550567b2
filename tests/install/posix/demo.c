/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program of a Xenomai user's, with its POSIX skin. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/cobalt.h>
#include <sys/mman.h>
#include <time.h>

static sem_t turns;

static void *demo(void *arg)
{
	struct timespec period = {0, 1000000};
	struct timespec now = {0, 0};

	(void)arg;
	if (pthread_make_periodic_np(pthread_self(), &now, &period))
		return "not periodic";
	for (int i = 0; i < 5; i++) {
		(void)pthread_wait_np(NULL);
		sem_post(&turns);
	}
	/* Printed from primary mode, and that does not end it. */
	pthread_setmode_np(PTHREAD_CONFORMING, PTHREAD_CONFORMING, NULL);
	printf("5 turns in ");
	printf(cobalt_thread_mode() & XNRELAX ? "secondary mode\n" : "primary mode\n");
	return NULL;
}

int main(void)
{
	struct sched_param parameter = {.sched_priority = 50};
	pthread_attr_t attributes;
	pthread_t thread;
	void *wrong;

	mlockall(MCL_CURRENT | MCL_FUTURE);
	sem_init(&turns, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	if (pthread_create(&thread, &attributes, demo, NULL))
		return 1;
	for (int i = 0; i < 5; i++)
		sem_wait(&turns);
	pthread_join(thread, &wrong);
	if (wrong)
		printf("%s\n", (char *)wrong);
	return wrong != NULL;
}
