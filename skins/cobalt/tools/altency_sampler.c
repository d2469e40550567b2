/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sampler of altency: a POSIX thread of SCHED_FIFO that sleeps from instant to instant. It adds
 * up a second and leaves the window in a ring, from which main() prints. A ring that is full
 * because main() does not get on is told.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cobalt.h>
#include <time.h>

#include <boilerplate/time.h>

#include "tools/latency.h"

const char latency_name[] = "altency";
const int latency_modes = 1;

#define FIRST_NS 1000000 /* from now to the first instant */
#define WINDOWS  64u
#define LOOK_NS  20000000

#define START_LOOK_NS 1000000

static struct {
	struct latency_taking taking;
	struct latency_window ring[WINDOWS];
	_Atomic uint64_t ended; /* windows, that for warming up included: the sampler's */
	_Atomic uint64_t taken; /* of them: main()'s */
	_Atomic bool lost;
	_Atomic bool stops;
	_Atomic enum { STARTS, RUNS, IS_LINUX } state;
	pthread_t thread;
} sampler;

static uint64_t switches_now(void)
{
	struct cobalt_threadstat stat;

	return cobalt_thread_stat(0, &stat) ? 0 : stat.msw;
}

static void window_end(uint64_t switches)
{
	struct latency_window *window = &sampler.taking.window;

	window->switches = switches_now() - switches;
	if (sampler.ended - sampler.taken == WINDOWS) {
		sampler.lost = true;
	} else {
		sampler.ring[sampler.ended % WINDOWS] = *window;
		sampler.ended++; /* only now: who takes it may look before the caller goes on */
	}
	latency_taking_next(&sampler.taking);
}

static void *sample(void *unused)
{
	const uint64_t period_ns = sampler.taking.options.period_ns;
	struct timespec next;
	struct timespec now;
	uint64_t switches = switches_now();

	/* Then Linux would be measured. */
	if (cobalt_thread_mode() & XNRELAX) {
		sampler.state = IS_LINUX;
		return unused;
	}
	sampler.state = RUNS;
	clock_gettime(CLOCK_MONOTONIC, &next);
	timespec_adds(&next, &next, FIRST_NS);
	latency_taking_begin(&sampler.taking, timespec_scalar(&next));
	while (!sampler.stops) {
		int error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		uint64_t release_ns = timespec_scalar(&next);
		uint64_t now_ns;
		uint64_t missed;

		if (error == EINTR)
			continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		now_ns = timespec_scalar(&now);
		missed = now_ns > release_ns ? (now_ns - release_ns) / period_ns : 0;
		timespec_adds(&next, &next, (sticks_t)((missed + 1) * period_ns));
		if (latency_take(&sampler.taking, release_ns, now_ns, missed))
			window_end(switches);
	}
	return unused;
}

static int start_thread(void)
{
	const struct timespec nap = {0, START_LOOK_NS};
	const struct sched_param parameter = {.sched_priority = sampler.taking.options.priority};
	pthread_attr_t attributes;
	int error;

	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	(void)pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	(void)pthread_attr_setschedparam(&attributes, &parameter);
	error = pthread_create(&sampler.thread, &attributes, sample, NULL);
	(void)pthread_attr_destroy(&attributes);
	while (!error && sampler.state == STARTS)
		(void)nanosleep(&nap, NULL);
	if (error || sampler.state == RUNS)
		return error;
	(void)pthread_join(sampler.thread, NULL);
	return EPERM;
}

int latency_sampler_start(const struct latency_options *options, struct latency_histogram *all)
{
	char cpu[16];
	int error;

	if (options->cpu >= 0) {
		(void)snprintf(cpu, sizeof(cpu), "%d", options->cpu);
		(void)setenv("TACTUS_RUN_CPUS", cpu, 1);
	}
	sampler.taking.options = *options;
	sampler.taking.all = all;
	/* By itself, the skin's start would leave the thread to Linux. */
	error = -cobalt_corectl(_CC_COBALT_START_CORE, NULL, 0);
	if (error) {
		fprintf(stderr, "%s: there is no real-time CPU to measure on\n", latency_name);
		return -error;
	}
	error = start_thread();
	if (error == EPERM)
		fprintf(stderr, "%s: the sampler cannot become a real-time task\n", latency_name);
	else if (error)
		fprintf(stderr, "%s: the sampler cannot start: %s\n", latency_name,
			strerror(error));
	return -error;
}

int latency_sampler_next(struct latency_window *window)
{
	const struct timespec nap = {0, LOOK_NS};

	if (sampler.lost) {
		fprintf(stderr,
			"%s: printing is too slow, and one second was not printed: lower the "
			"load\n",
			latency_name);
		return -1;
	}
	if (sampler.taken == sampler.ended) {
		(void)nanosleep(&nap, NULL);
		return 0;
	}
	*window = sampler.ring[sampler.taken % WINDOWS];
	sampler.taken++;
	return 1;
}

void latency_sampler_stop(void)
{
	sampler.stops = true;
	(void)pthread_join(sampler.thread, NULL);
}
