/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Content for a summary and a trace, for endings.py. usage: counted HOW COUNT: relative, sleeps for
 * a time; turns, a thread is a task and none COUNT times in turn, beside another one; many, so many
 * threads; busy, one thread never ends during the program; alone, the program itself starts the
 * real-time half, and a thread sleeps so often.
 */
#include "check.h"

#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include <tactus/start.h>

static int count;
static atomic_int sleeps;

static void sleep_once(void)
{
	struct timespec next = later(CLOCK_MONOTONIC, 10000);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	sleeps++;
}

static void *sleep_often(void *unused)
{
	for (int i = 0; i < count; i++)
		sleep_once();
	return unused;
}

static void *sleep_for_a_time(void *unused)
{
	const struct timespec none = {0};

	for (int i = 0; i < count; i++) {
		usleep(0);
		nanosleep(&none, NULL);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &none, NULL);
		poll(NULL, 0, 0);
	}
	return unused;
}

static void *take_turns(void *unused)
{
	const struct sched_param plain = {0}, urgent = {.sched_priority = 40};

	for (int i = 0; i < count; i++) {
		sleep_once();
		if (sched_setscheduler(0, SCHED_OTHER, &plain) ||
		    sched_setscheduler(0, SCHED_FIFO, &urgent))
			abort();
	}
	return unused;
}

static void *never_end(void *unused)
{
	for (;;) {
		usleep(50);
		sleeps++;
	}
	return unused;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "relative";

	count = argc > 2 ? atoi(argv[2]) : 1;
	if (!strcmp(how, "relative")) {
		joined(fifo_thread(50, sleep_for_a_time, NULL));
	} else if (!strcmp(how, "turns")) {
		joined(fifo_thread(40, take_turns, NULL));
		joined(fifo_thread(50, sleep_often, NULL));
	} else if (!strcmp(how, "many")) {
		for (int i = 0; i < count; i++)
			joined(fifo_thread(50, sleep_often, NULL));
	} else if (!strcmp(how, "busy")) {
		fifo_thread(50, never_end, NULL);
		while (sleeps < count)
			usleep(1000);
	} else if (!strcmp(how, "alone")) {
		char reason[TACT_REASON_BYTES];

		if (tact_start(NULL, reason)) {
			printf("%s\n", reason);
			return 1;
		}
		joined(fifo_thread(50, sleep_often, NULL));
	}
	return 0;
}
