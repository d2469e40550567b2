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
	struct latency_options options;
	struct latency_histogram *all;
	struct latency_peak peak;
	uint64_t samples; /* a window */
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

/* Those after the last second that was asked for are nobody's, as those of the first. */
static bool is_measured(void)
{
	return sampler.ended &&
	       (!sampler.options.duration || sampler.ended <= sampler.options.duration);
}

static void window_end(struct latency_window *window, uint64_t switches)
{
	window->switches = switches_now() - switches;
	if (sampler.ended - sampler.taken == WINDOWS) {
		sampler.lost = true;
	} else {
		sampler.ring[sampler.ended % WINDOWS] = *window;
		sampler.ended++; /* only now: who takes it may look before the caller goes on */
	}
	latency_window_begin(window);
}

static void *sample(void *unused)
{
	struct latency_window window;
	struct timespec next;
	struct timespec now;
	uint64_t switches = switches_now();

	/* Then Linux would be measured. */
	if (cobalt_thread_mode() & XNRELAX) {
		sampler.state = IS_LINUX;
		return unused;
	}
	sampler.state = RUNS;
	latency_window_begin(&window);
	clock_gettime(CLOCK_MONOTONIC, &next);
	timespec_adds(&next, &next, FIRST_NS);
	while (!sampler.stops) {
		int error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		int64_t late_ns;
		uint64_t missed;

		if (error == EINTR)
			continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		late_ns = timespec_scalar(&now) - timespec_scalar(&next);
		missed = late_ns > 0 ? (uint64_t)late_ns / sampler.options.period_ns : 0;
		timespec_adds(&next, &next, (sticks_t)((missed + 1) * sampler.options.period_ns));
		window.overruns += missed;
		latency_window_add(&window, late_ns);
		if (is_measured()) {
			latency_peak_see(&sampler.peak, late_ns);
			if (sampler.all)
				latency_histogram_add(sampler.all, late_ns);
		}
		if (window.samples == sampler.samples)
			window_end(&window, switches);
	}
	return unused;
}

static int start_thread(void)
{
	const struct timespec nap = {0, START_LOOK_NS};
	const struct sched_param parameter = {.sched_priority = sampler.options.priority};
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
	sampler.options = *options;
	sampler.all = all;
	sampler.peak.wanted = options->freeze;
	sampler.samples = ONE_BILLION / options->period_ns;
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
			"%s: printing does not get on, a second was not told: lower the load\n",
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
