/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sampler of latency: a periodic task of Alchemy, a light task or the handler of an alarm. It
 * adds up a second and leaves the window in a queue, from which main() prints; a queue that is full
 * because main() does not get on loses no sample, but the window is told of as missing.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <tactus/tact.h>

#include <alchemy/queue.h>
#include <alchemy/task.h>
#include <alchemy/timer.h>

#include "tools/latency.h"

const char latency_name[] = "latency";
const int latency_modes = LATENCY_MODES;

#define NS_S          1000000000u
#define FIRST_NS      1000000u /* from now to the first instant */
#define WINDOWS       64u
#define LOOK_NS       100000000u
#define NATIVE_TO_TOP (TACT_PRIO_MAX - 99)

static struct {
	struct latency_options options;
	struct latency_histogram *all;
	struct latency_peak peak;
	struct latency_window window;
	uint64_t samples; /* a window */
	uint64_t expected_ns;
	uint64_t switches; /* when it began */
	uint64_t ended;    /* windows, that for warming up included */
	_Atomic bool lost;
	RT_QUEUE windows;
	RT_TASK task;
	tact_task_t light;
	tact_alarm_t alarm;
} sampler;

static uint64_t switches_now(void)
{
	RT_TASK_INFO info;

	if (sampler.options.mode != LATENCY_TASK || rt_task_inquire(NULL, &info))
		return 0;
	return info.stat.msw;
}

static void window_end(void)
{
	sampler.window.switches = switches_now() - sampler.switches;
	if (rt_queue_write(&sampler.windows, &sampler.window, sizeof(sampler.window), Q_NORMAL) < 0)
		sampler.lost = true;
	sampler.ended++;
	latency_window_begin(&sampler.window);
}

/* Those after the last second that was asked for are nobody's, as those of the first. */
static bool is_measured(void)
{
	return sampler.ended &&
	       (!sampler.options.duration || sampler.ended <= sampler.options.duration);
}

/* The release that was expected, after which `missed` are gone. */
static void sample(uint64_t now_ns, uint64_t missed)
{
	struct latency_window *window = &sampler.window;
	int64_t late_ns;

	late_ns = (int64_t)(now_ns - sampler.expected_ns);
	sampler.expected_ns += (missed + 1) * sampler.options.period_ns;
	window->overruns += missed;
	latency_window_add(window, late_ns);
	if (is_measured()) {
		latency_peak_see(&sampler.peak, late_ns);
		if (sampler.all)
			latency_histogram_add(sampler.all, late_ns);
	}
	if (window->samples == sampler.samples)
		window_end();
}

static void sample_task(void *unused)
{
	unsigned long missed;
	int error;

	(void)unused;
	sampler.expected_ns = rt_timer_read() + FIRST_NS;
	error = rt_task_set_periodic(NULL, rt_timer_ns2ticks((SRTIME)sampler.expected_ns),
				     rt_timer_ns2ticks((SRTIME)sampler.options.period_ns));
	sampler.switches = switches_now();
	while (!error || error == -ETIMEDOUT) {
		missed = 0;
		error = rt_task_wait_period(&missed);
		if (!error || error == -ETIMEDOUT)
			sample(rt_timer_read(), missed);
	}
}

static void sample_light(void *unused)
{
	uint64_t missed;
	int error;

	(void)unused;
	sampler.expected_ns = tact_now().ns + FIRST_NS;
	error = tact_task_set_periodic(TACT_SELF, (tact_time_t){sampler.expected_ns},
				       sampler.options.period_ns);
	while (!error || error == -TACT_ETIMEDOUT) {
		missed = 0;
		error = tact_task_wait_period(&missed, NULL);
		/* It counts the release that is given now, too. */
		if (!error || error == -TACT_ETIMEDOUT)
			sample(tact_now().ns, missed - (error != 0));
	}
}

static void sample_handler(void *unused)
{
	uint64_t now_ns = tact_now().ns;
	int64_t late_ns = (int64_t)(now_ns - sampler.expected_ns);

	(void)unused;
	sample(now_ns, late_ns > 0 ? (uint64_t)late_ns / sampler.options.period_ns : 0);
}

static int start_handler(void)
{
	int error = tact_alarm_create("sampling", sample_handler, NULL, 0, &sampler.alarm);

	if (error)
		return error;
	sampler.expected_ns = tact_now().ns + FIRST_NS;
	return tact_alarm_start(sampler.alarm, tact_at((tact_time_t){sampler.expected_ns}),
				sampler.options.period_ns);
}

static int start_one(void)
{
	struct tact_task_attr attr = {
		.name = "sampling",
		.priority = (uint32_t)sampler.options.priority + NATIVE_TO_TOP,
		.flags = TACT_TASK_LIGHT,
	};

	switch (sampler.options.mode) {
	case LATENCY_TASK:
		return rt_task_spawn(&sampler.task, "sampling", 0, sampler.options.priority,
				     T_JOINABLE, sample_task, NULL);
	case LATENCY_LIGHT_TASK:
		return tact_task_spawn(&attr, sample_light, NULL, &sampler.light);
	default:
		return start_handler();
	}
}

/* Else the skin starts the nucleus when it is first needed. */
static int start_on(uint32_t cpu)
{
	const struct tact_config config = {.name = "latency", .cpus = 1, .linux_cpu = &cpu};
	char reason[TACT_REASON_BYTES];
	int error = tact_start(&config, reason);

	if (reason[0])
		fprintf(stderr, "latency: %s\n", reason);
	return error;
}

int latency_sampler_start(const struct latency_options *options, struct latency_histogram *all)
{
	int error = options->cpu < 0 ? 0 : start_on((uint32_t)options->cpu);

	if (error)
		return error;
	sampler.options = *options;
	sampler.all = all;
	sampler.peak.wanted = options->freeze;
	sampler.samples = NS_S / options->period_ns;
	latency_window_begin(&sampler.window);
	error = rt_queue_create(&sampler.windows, "windows",
				WINDOWS * sizeof(struct latency_window), WINDOWS, Q_FIFO);
	if (!error)
		error = start_one();
	if (error)
		fprintf(stderr, "latency: the sampler cannot start: %s\n", strerror(-error));
	return error;
}

int latency_sampler_next(struct latency_window *window)
{
	ssize_t bytes = rt_queue_read(&sampler.windows, window, sizeof(*window), LOOK_NS);

	if (sampler.lost) {
		fprintf(stderr, "latency: printing does not get on, a second was not told: lower "
				"the load\n");
		return -1;
	}
	if (bytes == -ETIMEDOUT || bytes == -EINTR)
		return 0;
	return bytes == (ssize_t)sizeof(*window) ? 1 : -1;
}

void latency_sampler_stop(void)
{
	switch (sampler.options.mode) {
	case LATENCY_TASK:
		(void)rt_task_delete(&sampler.task);
		break;
	case LATENCY_LIGHT_TASK:
		(void)tact_task_delete(sampler.light);
		break;
	default:
		(void)tact_alarm_delete(sampler.alarm);
	}
}
