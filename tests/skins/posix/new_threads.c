/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of a thread as soon as it has a name, before it has run: policies, priorities,
 * affinities. Without a handshake, and often, by threads of every kind. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"

#define ROUNDS 40

static atomic_bool given;
static int wrong[8];

/* While its creator sets them, and for one more call, by which it checks. */
static void await(void)
{
	const struct timespec moment = {.tv_nsec = 200000};

	while (!atomic_load(&given))
		nanosleep(&moment, NULL);
	nanosleep(&moment, NULL);
}

static void *is_fifo_80(void *argument)
{
	struct sched_param parameter = {.sched_priority = -1};
	int policy = -1;

	await();
	wrong[0] += !is_task_if_expected();
	wrong[1] += sched_getscheduler(0) != SCHED_FIFO;
	wrong[2] += sched_getparam(0, &parameter) || parameter.sched_priority != 80;
	wrong[3] += pthread_getschedparam(pthread_self(), &policy, &parameter) ||
		    policy != SCHED_FIFO || parameter.sched_priority != 80;
	return argument;
}

static void *is_other(void *argument)
{
	await();
	wrong[0] += !is_no_task();
	wrong[1] += sched_getscheduler(0) != SCHED_OTHER;
	return argument;
}

static void *is_confined(void *argument)
{
	const int cpu = *(const int *)argument;
	cpu_set_t set;

	await();
	wrong[4] += sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) != 1 ||
		    !CPU_ISSET(cpu, &set);
	wrong[5] += pthread_getaffinity_np(pthread_self(), sizeof(set), &set) ||
		    CPU_COUNT(&set) != 1 || !CPU_ISSET(cpu, &set);
	return argument;
}

static void show(const char *what)
{
	printf("%s:", what);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		printf(" %d", wrong[i]);
		wrong[i] = 0;
	}
	printf(" wrong\n");
	fflush(stdout);
}

static void change(const char *what, void *(*entry)(void *), int policy, int priority)
{
	const struct sched_param parameter = {.sched_priority = priority};

	for (int i = 0; i < ROUNDS; i++) {
		struct sched_param told = {.sched_priority = -1};
		pthread_t thread;
		int as = -1;

		atomic_store(&given, false);
		wrong[6] += pthread_create(&thread, NULL, entry, NULL);
		wrong[6] += pthread_setschedparam(thread, policy, &parameter);
		wrong[7] += pthread_getschedparam(thread, &as, &told) || as != policy ||
			    told.sched_priority != priority;
		atomic_store(&given, true);
		joined(thread);
	}
	show(what);
}

static void confine(const char *what)
{
	cpu_set_t all, one;

	sched_getaffinity(0, sizeof(all), &all);
	for (int i = 0; i < ROUNDS; i++) {
		int cpu = i % CPU_SETSIZE;
		pthread_t thread;

		while (!CPU_ISSET(cpu, &all))
			cpu = (cpu + 1) % CPU_SETSIZE;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		atomic_store(&given, false);
		wrong[6] += pthread_create(&thread, NULL, is_confined, &cpu);
		wrong[6] += pthread_setaffinity_np(thread, sizeof(one), &one);
		CPU_ZERO(&one);
		wrong[7] += pthread_getaffinity_np(thread, sizeof(one), &one) ||
			    CPU_COUNT(&one) != 1 || !CPU_ISSET(cpu, &one);
		atomic_store(&given, true);
		joined(thread);
	}
	show(what);
}

static void all_of_it(void)
{
	change("made real-time", is_fifo_80, SCHED_FIFO, 80);
	change("made none", is_other, SCHED_OTHER, 0);
	confine("confined");
}

/* The new ones inherit its settings. */
static void *real_time(void *argument)
{
	SHOW(is_task_if_expected());
	all_of_it();
	return argument;
}

/* Detached ones that free the place of their name before their creator has returned. */
struct job {
	pthread_t thread;
	sem_t *done;
};

static void *frees(void *argument)
{
	struct job *job = argument;
	sem_t *done = job->done;

	memset(job, 0xff, sizeof(*job));
	free(job);
	sem_post(done);
	return NULL;
}

static void detached(void)
{
	pthread_attr_t attributes;
	sem_t done;

	sem_init(&done, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < ROUNDS; i++) {
		struct job *job = malloc(sizeof(*job));

		job->done = &done;
		wrong[0] += pthread_create(&job->thread, &attributes, frees, job);
	}
	for (int i = 0; i < ROUNDS; i++)
		sem_wait(&done);
	pthread_attr_destroy(&attributes);
	show("detached");
}

int main(void)
{
	all_of_it();
	detached();
	joined(fifo_thread(40, real_time, NULL));
	return 0;
}
