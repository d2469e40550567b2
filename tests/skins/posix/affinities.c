/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Affinities are read back as they were set, by tasks and others, whatever CPU they really use. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static void show(const char *what)
{
	pthread_attr_t attributes;
	cpu_set_t set, same;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set))
		printf("errno %d\n", errno);
	printf("%s: %d CPUs, by sched_getaffinity()", what, CPU_COUNT(&set));
	CPU_ZERO(&set);
	pthread_getaffinity_np(pthread_self(), sizeof(set), &set);
	printf(", %d by pthread_getaffinity_np()", CPU_COUNT(&set));
	CPU_ZERO(&same);
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getaffinity_np(&attributes, sizeof(same), &same);
	pthread_attr_destroy(&attributes);
	printf(", the %s by pthread_getattr_np()\n", CPU_EQUAL(&set, &same) ? "same" : "others");
	fflush(stdout);
}

static void each_cpu(void)
{
	cpu_set_t all, one;

	sched_getaffinity(0, sizeof(all), &all);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		SHOW(sched_setaffinity(0, sizeof(one), &one));
		CPU_ZERO(&one);
		SHOW(sched_getaffinity(gettid(), sizeof(one), &one));
		SHOW(CPU_COUNT(&one) == 1 && CPU_ISSET(cpu, &one));
		usleep(100);
		SHOW(is_task_if_expected());
		/* As libnuma does. */
		SHOW(syscall(SYS_sched_setaffinity, 0, sizeof(one), &one));
		CPU_ZERO(&one);
		SHOW(syscall(SYS_sched_getaffinity, 0, sizeof(one), &one));
		SHOW(CPU_COUNT(&one) == 1 && CPU_ISSET(cpu, &one));
	}
	SHOW(syscall(SYS_sched_getaffinity, 0, 1, &one));
	SHOW(errno);
	SHOW(pthread_setaffinity_np(pthread_self(), sizeof(all), &all));
	show("all again");
	CPU_ZERO(&one);
	SHOW(sched_setaffinity(0, sizeof(one), &one));
	SHOW(errno);
	SHOW(pthread_setaffinity_np(pthread_self(), sizeof(one), &one));
	SHOW(sched_setaffinity(-1, sizeof(one), &one));
	SHOW(errno);
}

static void *inherits(void *argument)
{
	(void)argument;
	show("inherited");
	return NULL;
}

static atomic_bool done;

static void *computes(void *argument)
{
	while (!atomic_load(&done))
		;
	return argument;
}

static void *is_done(void *argument)
{
	SHOW(is_task_if_expected());
	atomic_store(&done, true);
	return argument;
}

/* Made for a CPU by its attributes; with its creator's policy, and a more urgent one. */
static void born_on(int cpu)
{
	struct sched_param parameter = {.sched_priority = 45};
	pthread_attr_t attributes;
	pthread_t thread;
	cpu_set_t one;
	int error;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	SHOW(pthread_attr_setaffinity_np(&attributes, sizeof(one), &one));
	error = pthread_create(&thread, &attributes, is_done, NULL);
	pthread_attr_destroy(&attributes);
	if (!error)
		joined(thread);
	SHOW(error);
}

/* Computes there: more urgent threads move to its CPU, or begin on it. */
static void *to_a_busy_cpu(void *argument)
{
	pthread_t busy = fifo_thread(30, computes, NULL);
	cpu_set_t all;

	sched_getaffinity(0, sizeof(all), &all);
	each_cpu();
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		born_on(cpu);
		joined(busy);
		atomic_store(&done, false);
		busy = fifo_thread(30, computes, NULL);
	}
	atomic_store(&done, true);
	joined(busy);
	return argument;
}

static void *run(void *argument)
{
	cpu_set_t one;

	(void)argument;
	show("born");
	each_cpu();
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	SHOW(pthread_setaffinity_np(pthread_self(), sizeof(one), &one));
	joined(other_thread(inherits, NULL));
	return NULL;
}

int main(void)
{
	show("main");
	joined(fifo_thread(50, run, NULL));
	show("main after the start");
	joined(other_thread(inherits, NULL));
	joined(fifo_thread(40, to_a_busy_cpu, NULL));
	return 0;
}
