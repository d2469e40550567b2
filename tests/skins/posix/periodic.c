/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A periodic real-time thread for options.py. usage: periodic COUNT
 * [linux|prints|late|ids|bound|fork|begin|ends|computes]: a call of Linux each time, or one by
 * printf(); instants that have passed; ids that all threads change; made for the first CPU by its
 * attributes; afterwards a child, or the same program once more; threads that end while the program
 * does; instead of beats, a thread of the priority COUNT that computes for ever.
 */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int count, calls, prints, late, ids;

static void *beat(void *argument)
{
	struct timespec next = later(CLOCK_MONOTONIC, 1000000);

	if (late)
		next.tv_sec = 1;
	for (int i = 0; i < count; i++) {
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		next.tv_nsec += 1000000;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		if (calls)
			(void)getppid();
		if (ids && setgid(getgid()))
			abort();
		if (prints)
			printf("beats %d\n", i);
	}
	return argument;
}

static void *compute(void *argument)
{
	volatile int *goes_on = argument;

	while (*goes_on)
		;
	return NULL;
}

static void *end_at(void *instant)
{
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, instant, NULL);
	return NULL;
}

/* One after the other, while this thread ends the program. */
static void end_with_others(void)
{
	static struct timespec instants[60];
	const uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + 40000000;

	for (int i = 0; i < 60; i++) {
		const uint64_t at_ns = end_ns + (uint64_t)i * 20000;

		instants[i] = (struct timespec){(time_t)(at_ns / 1000000000u),
						(long)(at_ns % 1000000000u)};
		pthread_detach(fifo_thread(40, end_at, &instants[i]));
	}
	while (now_ns(CLOCK_MONOTONIC) < end_ns)
		;
}

static pthread_t bound_thread(void)
{
	struct sched_param parameter = {.sched_priority = 50};
	pthread_attr_t attributes;
	pthread_t thread;
	cpu_set_t one;

	sched_getaffinity(0, sizeof(one), &one);
	for (int cpu = CPU_SETSIZE; cpu-- > 0 && CPU_COUNT(&one) > 1;)
		CPU_CLR(cpu, &one);
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	pthread_attr_setaffinity_np(&attributes, sizeof(one), &one);
	if (pthread_create(&thread, &attributes, beat, NULL))
		abort();
	pthread_attr_destroy(&attributes);
	return thread;
}

int main(int argc, char **argv)
{
	count = argc > 1 ? atoi(argv[1]) : 1;
	ids = argc > 2 && !strcmp(argv[2], "ids");
	calls = argc > 2 && !strcmp(argv[2], "linux");
	late = argc > 2 && !strcmp(argv[2], "late");
	prints = argc > 2 && !strcmp(argv[2], "prints");
	/* As on a terminal. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("begins\n");
	if (argc > 2 && !strcmp(argv[2], "computes"))
		joined(fifo_thread(count, compute, &count));
	else if (argc > 2 && !strcmp(argv[2], "bound"))
		joined(bound_thread());
	else
		joined(fifo_thread(50, beat, NULL));
	if (argc > 2 && !strcmp(argv[2], "ends"))
		end_with_others();
	printf("ends\n");
	if (argc > 2 && !strcmp(argv[2], "fork") && fork())
		wait(NULL);
	if (argc > 2 && !strcmp(argv[2], "begin")) {
		char command[1000];

		snprintf(command, sizeof(command), "exec '%s' %d", argv[0], count);
		return system(command);
	}
	return 0;
}
