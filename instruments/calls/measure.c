/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part that runs plainly and under `tactus run`: see measure.h. */
#include "measure.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/complain.h"

#define TURNS      25u
#define TURN_NS    200000u /* short, compared with the time between two interruptions */
#define LOOPS_MOST 5000u
#define SETTLE_NS  200000000u
#define PRIORITY   20

const struct call *const measure_calls[MEASURE_PARTS] = {
	calls_of_threads,
	calls_of_descriptors,
	calls_of_signals,
};

static uint64_t turn_ns(const struct call *call, unsigned int loops)
{
	const uint64_t begin_ns = clock_now_ns();

	for (unsigned int i = 0; i < loops; i++)
		(void)call->once();
	return clock_now_ns() - begin_ns;
}

/* The number of loops in a turn. */
static unsigned int loops_of(const struct call *call)
{
	unsigned int loops = 1;

	while (loops < LOOPS_MOST && turn_ns(call, loops) < TURN_NS)
		loops *= 2;
	return loops < LOOPS_MOST ? loops : LOOPS_MOST;
}

static double best_ns(const struct call *call)
{
	const unsigned int loops = loops_of(call);
	uint64_t best = UINT64_MAX;

	for (unsigned int i = 0; i < TURNS; i++) {
		const uint64_t took_ns = turn_ns(call, loops);

		if (took_ns < best)
			best = took_ns;
	}
	return (double)best / loops;
}

/* Starts a thread that only waits, with the policy that makes it a task there. */
static int start_task(void)
{
	const struct sched_param param = {.sched_priority = PRIORITY};
	const struct timespec settle = clock_timespec(SETTLE_NS);
	pthread_attr_t attributes;
	pthread_t task;

	if (pthread_attr_init(&attributes) ||
	    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED) ||
	    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO) ||
	    pthread_attr_setschedparam(&attributes, &param))
		return complain("the attributes of a thread cannot be made");
	if (calls_start_waiting(&task, &attributes) < 0)
		return -1;
	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &settle, NULL);
	return 0;
}

/* The process ends at once, because messages at the end of a process would mix with the results. */
int measure_all(const char *only, bool with_task)
{
	if ((with_task && start_task() < 0) || calls_prepare_threads() < 0 ||
	    calls_prepare_descriptors() < 0 || calls_prepare_signals() < 0)
		return -1;
	for (unsigned int part = 0; part < MEASURE_PARTS; part++)
		for (const struct call *call = measure_calls[part]; call->name; call++) {
			if (only && !strstr(call->name, only))
				continue;
			if (call->once())
				printf("-1 %s\n", call->name);
			else
				printf("%.2f %s\n", best_ns(call), call->name);
		}
	(void)fflush(stdout);
	_exit(0);
}
