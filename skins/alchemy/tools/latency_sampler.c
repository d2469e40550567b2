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
#include <unistd.h>

#include <alchemy/queue.h>
#include <alchemy/task.h>
#include <trank/native/timer.h>

#include "nucleus.h"
#include "tools/latency.h"

const char latency_name[] = "latency";
const int latency_modes = LATENCY_MODES;

#define FIRST_NS      1000000u    /* from now to the first instant */
#define FIRST_MAX_NS  1100000000u /* where the sampler was kept from setting it in time */
#define WINDOWS       64u
#define LOOK_NS       100000000u
#define STOPPED_LOOKS 30u /* a window is a second */
#define NATIVE_TO_TOP (TACT_PRIORITY_MAX - 99)
#define NAME_BYTES    TACT_NAME_BYTES /* several may run in a session */

static struct {
	struct latency_options options;
	struct latency_taking taking;
	uint64_t expected_ns;
	uint64_t switches; /* when it began */
	_Atomic bool lost;
	_Atomic int error; /* for which a task has ended */
	RT_QUEUE windows;
	RT_TASK task;
	tact_task_t light;
	tact_timer_t alarm;
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
	struct latency_window *window = &sampler.taking.window;

	window->switches = switches_now() - sampler.switches;
	if (rt_queue_write(&sampler.windows, window, sizeof(*window), Q_NORMAL) < 0)
		sampler.lost = true;
	latency_taking_next(&sampler.taking);
}

/* The release that was expected, after which `missed` are gone. */
static void sample(uint64_t now_ns, uint64_t missed)
{
	const uint64_t release_ns = sampler.expected_ns;

	sampler.expected_ns += (missed + 1) * sampler.options.period_ns;
	if (latency_take(&sampler.taking, release_ns, now_ns, missed))
		window_end();
}

/* An instant that passes before it is set is refused: then a later one. */
static int set_first(int (*set)(uint64_t first_ns))
{
	int error = -ETIMEDOUT;

	for (uint64_t ahead_ns = FIRST_NS; error == -ETIMEDOUT && ahead_ns <= FIRST_MAX_NS;
	     ahead_ns *= 2) {
		sampler.expected_ns = tact_now().ns + ahead_ns;
		error = set(sampler.expected_ns);
	}
	latency_taking_begin(&sampler.taking, sampler.expected_ns);
	return error;
}

static int set_task(uint64_t first_ns)
{
	return rt_task_set_periodic(NULL, first_ns, sampler.options.period_ns);
}

static void sample_task(void *unused)
{
	unsigned long missed;
	int error = set_first(set_task);

	(void)unused;
	sampler.switches = switches_now();
	while (!error) {
		missed = 0;
		error = rt_task_wait_period(&missed);
		if (error == -ETIMEDOUT)
			error = 0;
		if (!error)
			sample(tact_now().ns, missed);
	}
	sampler.error = error;
}

static int set_light(uint64_t first_ns)
{
	return tact_task_set_periodic(TACT_SELF, (tact_time_t){first_ns},
				      sampler.options.period_ns);
}

static void sample_light(void *unused)
{
	uint64_t missed;
	int error = set_first(set_light);

	(void)unused;
	while (!error) {
		missed = 0;
		error = tact_task_wait_period(&missed, NULL);
		/* It counts the release that is given now, too. */
		if (error == -TACT_ETIMEDOUT) {
			missed--;
			error = 0;
		}
		if (!error)
			sample(tact_now().ns, missed);
	}
	sampler.error = error;
}

/* Of the instants that have passed the first is the one that it is late for. */
static void sample_handler(void *unused)
{
	uint64_t now_ns = tact_now().ns;
	struct tact_timer_expiry expiry = {0};

	(void)unused;
	if (tact_timer_expiry(&expiry))
		return;
	sampler.expected_ns = expiry.programmed.ns - expiry.missed * sampler.options.period_ns;
	sample(now_ns, expiry.missed);
}

static int start_handler(const char *name)
{
	int error = tact_timer_create(name, sample_handler, NULL, 0, &sampler.alarm);

	if (error)
		return error;
	sampler.expected_ns = tact_now().ns + FIRST_NS;
	latency_taking_begin(&sampler.taking, sampler.expected_ns);
	return tact_timer_start(sampler.alarm, tact_at((tact_time_t){sampler.expected_ns}),
				sampler.options.period_ns);
}

static int start_one(void)
{
	char name[NAME_BYTES];
	struct tact_task_attr attr = {
		.name = name,
		.priority = (uint32_t)sampler.options.priority + NATIVE_TO_TOP,
		.flags = TACT_TASK_LIGHT,
	};

	snprintf(name, sizeof(name), "sampling-%d", (int)getpid());
	switch (sampler.options.mode) {
	case LATENCY_TASK:
		return rt_task_spawn(&sampler.task, name, 0, sampler.options.priority, T_JOINABLE,
				     sample_task, NULL);
	case LATENCY_LIGHT_TASK:
		return tact_task_spawn(&attr, sample_light, NULL, &sampler.light);
	default:
		return start_handler(name);
	}
}

/* Else the skin starts the nucleus when it is first needed. */
static int start_on(int cpu)
{
	char notice[TACT_REASON_BYTES];

	if (nucleus_start("latency", cpu, notice))
		return -1;
	if (notice[0] && !nucleus_is_quiet())
		fprintf(stderr, "latency: %s\n", notice);
	return 0;
}

int latency_sampler_start(const struct latency_options *options, struct latency_histogram *all)
{
	int error = options->cpu < 0 ? 0 : start_on(options->cpu);
	char name[NAME_BYTES];

	if (error)
		return error;
	(void)rt_timer_set_mode(TM_ONESHOT); /* its instants are in ns, whatever a tick was to be */
	sampler.options = *options;
	sampler.taking.options = *options;
	sampler.taking.all = all;
	snprintf(name, sizeof(name), "windows-%d", (int)getpid());
	error = rt_queue_create(&sampler.windows, name, WINDOWS * sizeof(struct latency_window),
				WINDOWS, Q_FIFO);
	if (!error)
		error = start_one();
	if (error)
		fprintf(stderr, "latency: the sampler cannot start: %s\n", strerror(-error));
	return error;
}

/* By a fault, or the watchdog: the nucleus has told. */
static bool was_stopped(void)
{
	struct tact_timer_info alarm = {0};
	struct tact_task_info light = {0};
	RT_TASK_INFO task;

	switch (sampler.options.mode) {
	case LATENCY_TASK:
		return rt_task_inquire(&sampler.task, &task) || task.stat.status & XNZOMBIE;
	case LATENCY_LIGHT_TASK:
		return tact_task_inquire(sampler.light, &light) ||
		       light.state & (TACT_TASK_STATE_ENDED | TACT_TASK_STATE_FAULTED);
	default:
		return tact_timer_inquire(sampler.alarm, &alarm) || !alarm.active;
	}
}

int latency_sampler_next(struct latency_window *window)
{
	static unsigned int looks; /* in vain */
	ssize_t bytes = rt_queue_read(&sampler.windows, window, sizeof(*window), LOOK_NS);
	int error = sampler.error;

	if (sampler.lost) {
		fprintf(stderr, "latency: printing is too slow, and one second was not printed: "
				"lower the load\n");
		return -1;
	}
	looks = bytes < 0 ? looks + 1 : 0;
	if (!looks)
		return 1;
	if (!error && bytes != -ETIMEDOUT && bytes != -EINTR)
		error = (int)bytes;
	if (!error && looks % STOPPED_LOOKS == 0 && was_stopped())
		error = -ECANCELED;
	if (error)
		fprintf(stderr, "latency: the sampler has ended: %s\n", strerror(-error));
	return error ? -1 : 0;
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
		(void)tact_timer_delete(sampler.alarm);
	}
}
