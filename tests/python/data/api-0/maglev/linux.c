/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same loop as a Linux thread, as one writes it without Tactus. Its log is written at the end.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "back_ends.h"

#define PRIORITY 80 /* that of Tactus's real-time CPUs */

struct work {
	uint32_t turns;
	int fifo;
	struct turn *records;
	struct result *result;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Where Tactus's loop runs too: the last CPU that is allowed. */
static void settle(int fifo)
{
	struct sched_param parameter = {.sched_priority = PRIORITY};
	cpu_set_t set;
	int cpu = CPU_SETSIZE - 1;

	sched_getaffinity(0, sizeof(set), &set);
	while (cpu > 0 && !CPU_ISSET(cpu, &set))
		cpu--;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	if (fifo && pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter))
		fprintf(stderr,
			"maglev: no permission for SCHED_FIFO: runs as an ordinary thread\n");
}

static void *control(void *arg)
{
	struct work *work = arg;
	struct result *result = work->result;
	uint64_t release_ns = now_ns() + 1000000;

	settle(work->fifo);
	loop_init(&result->loop, now_ns());
	for (uint32_t i = 0; i < work->turns; i++) {
		struct timespec until = {.tv_sec = (time_t)(release_ns / 1000000000u),
					 .tv_nsec = (long)(release_ns % 1000000000u)};
		uint64_t now;

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		now = now_ns();
		work->records[i] = loop_turn(&result->loop, release_ns, now);
		release_ns += BALL_PERIOD_NS;
		/* As Tactus does: what has been missed is counted, and the schedule goes on from
		 * here. */
		while (release_ns <= now) {
			release_ns += BALL_PERIOD_NS;
			result->overruns++;
		}
	}
	return NULL;
}

int run_linux(uint32_t turns, int fifo, FILE *log, struct result *result)
{
	struct work work = {.turns = turns, .fifo = fifo, .result = result};
	pthread_t thread;

	work.records = malloc(turns * sizeof(*work.records));
	if (!work.records) {
		fprintf(stderr, "maglev: no memory for %u records: give fewer seconds\n", turns);
		return 1;
	}
	/* Fair play: nothing is paged in while it runs. */
	memset(work.records, 0, turns * sizeof(*work.records));
	(void)mlockall(MCL_CURRENT);
	if (pthread_create(&thread, NULL, control, &work)) {
		free(work.records);
		return 1;
	}
	pthread_join(thread, NULL);
	for (uint32_t i = 0; i < turns; i++)
		log_turn(log, &work.records[i]);
	free(work.records);
	return 0;
}
