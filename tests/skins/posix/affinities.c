/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Affinities read back as they were set, by tasks and others, whatever CPU they really run on. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static void show(const char *what)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set))
		printf("errno %d\n", errno);
	printf("%s: %d CPUs, by sched_getaffinity()", what, CPU_COUNT(&set));
	CPU_ZERO(&set);
	pthread_getaffinity_np(pthread_self(), sizeof(set), &set);
	printf(", %d by pthread_getaffinity_np()\n", CPU_COUNT(&set));
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
	}
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
	return 0;
}
