/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A periodic real-time thread for options.py. usage: beats COUNT [linux|late|fork]: a call of Linux
 * each time; instants that have passed; a child afterwards.
 */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int count, calls, late;

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
	}
	return argument;
}

int main(int argc, char **argv)
{
	count = argc > 1 ? atoi(argv[1]) : 1;
	calls = argc > 2 && !strcmp(argv[2], "linux");
	late = argc > 2 && !strcmp(argv[2], "late");
	printf("begins\n");
	fflush(stdout);
	joined(fifo_thread(50, beat, NULL));
	printf("ends\n");
	fflush(stdout);
	if (argc > 2 && !strcmp(argv[2], "fork") && fork())
		wait(NULL);
	return 0;
}
