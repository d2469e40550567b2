/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A periodic real-time thread for options.py. usage: beats COUNT [linux: a call of Linux each time]
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "check.h"

static int count, calls;

static void *beat(void *argument)
{
	struct timespec next = later(CLOCK_MONOTONIC, 1000000);

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
	calls = argc > 2;
	printf("begins\n");
	fflush(stdout);
	joined(fifo_thread(50, beat, NULL));
	printf("ends\n");
	return 0;
}
