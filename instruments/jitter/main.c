/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-jitter: the loop of a plain real-time Linux program, and nothing else: one pinned
 * SCHED_FIFO thread sleeps in clock_nanosleep() until each absolute release. Each activation gives
 * two figures: its lateness, and the difference between the period and the distance from the
 * activation before, which papers call the jitter of a periodic task. It shares no loop with
 * tactus-latency, so that each can check the other.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arguments.h"
#include "common/clock_first.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/machine.h"
#include "common/samples.h"

#define SETTLE_NS 50000000u

struct jitter {
	struct machine machine;
	struct notices notices;
	struct sample_store store;
	struct json json;
	uint64_t period_ns, duration_ns;
	uint64_t loops; /* releases; computed from the duration if it is not given */
	int priority;
	uint64_t start_ns, wall_ns, cpu_ns;
	/* Distance of two activations minus the distance of their releases. */
	int64_t step_min_ns, step_max_ns;
	double step_square_sum;
	uint64_t steps;
};

static void account_step(struct jitter *jitter, int64_t step_ns)
{
	if (jitter->steps == 0 || step_ns < jitter->step_min_ns)
		jitter->step_min_ns = step_ns;
	if (jitter->steps == 0 || step_ns > jitter->step_max_ns)
		jitter->step_max_ns = step_ns;
	jitter->step_square_sum += (double)step_ns * (double)step_ns;
	jitter->steps++;
}

static void *jitter_loop(void *arg)
{
	struct jitter *jitter = arg;
	int64_t before_ns = 0;
	uint32_t skipped = 0;

	for (uint64_t n = 0; n < jitter->loops; n++) {
		const uint64_t release_ns = jitter->start_ns + n * jitter->period_ns;
		const struct timespec until = clock_timespec(release_ns);
		uint64_t now_ns;
		int64_t late_ns;

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
			;
		now_ns = clock_first_ns();
		late_ns = (int64_t)(now_ns - release_ns);
		samples_push(&jitter->store, 0, release_ns - jitter->start_ns, late_ns, skipped);
		if (n > 0)
			account_step(jitter, late_ns - before_ns);
		before_ns = late_ns;
		/*
		 * Releases that passed while this one was late are skipped and counted, except the
		 * last one, which is taken late, so that samples and overruns together are all
		 * releases.
		 */
		skipped = (uint32_t)((uint64_t)late_ns / jitter->period_ns);
		if (n + 1 + skipped >= jitter->loops)
			skipped = n + 1 < jitter->loops ? (uint32_t)(jitter->loops - 2 - n) : 0;
		n += skipped;
	}
	return NULL;
}

static int run(struct jitter *jitter)
{
	uint64_t begin_ns, begin_cpu_ns;
	pthread_t thread;
	int error;

	machine_leave_cpu(&jitter->machine);
	if (samples_start(&jitter->store) < 0)
		return -1;
	clock_first_begin();
	begin_ns = clock_now_ns();
	begin_cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
	jitter->start_ns = begin_ns + SETTLE_NS;
	error = machine_thread_start(&jitter->machine, &thread, jitter->priority, jitter_loop,
				     jitter);
	if (error != 0)
		return complain("no thread: %s: raise `ulimit -u` and `ulimit -l`",
				strerror(error));
	(void)pthread_join(thread, NULL);
	jitter->wall_ns = clock_now_ns() - begin_ns;
	jitter->cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu_ns;
	if (samples_finish(&jitter->store, jitter->start_ns) < 0)
		return -1;
	if (samples_lost(&jitter->store) == 0)
		return 0;
	return complain("%" PRIu64 " samples are lost, because their writer did not get enough CPU "
			"time: lower the load, or raise --period",
			samples_lost(&jitter->store));
}

/* The keys of tactus-latency's row (docs/spec/instruments.md), and the steps. */
static void write_json(struct jitter *jitter, const struct sample_totals *totals)
{
	struct json *json = &jitter->json;

	json_begin(json, NULL, '{');
	json_text(json, "instrument", "jitter");
	json_text(json, "core", "linux");
	json_text(json, "context", "task");
	json_text(json, "idle", "sleep");
	json_unsigned(json, "tasks", 1);
	json_signed(json, "cpu", jitter->machine.cpu);
	json_signed(json, "priority", jitter->priority);
	json_bool(json, "realtime", jitter->machine.realtime);
	json_unsigned(json, "period_ns", jitter->period_ns);
	json_unsigned(json, "duration_ns", jitter->loops * jitter->period_ns);
	json_unsigned(json, "samples", totals->samples);
	json_unsigned(json, "lost", samples_lost(&jitter->store));
	json_unsigned(json, "overruns", totals->overruns);
	json_signed(json, "min_ns", totals->min_ns);
	json_signed(json, "max_ns", totals->max_ns);
	json_real(json, "avg_ns", totals->sum_ns / (double)totals->samples);
	json_begin(json, "step", '{');
	json_unsigned(json, "samples", jitter->steps);
	json_signed(json, "min_ns", jitter->step_min_ns);
	json_signed(json, "max_ns", jitter->step_max_ns);
	json_real(json, "rms_ns", sqrt(jitter->step_square_sum / (double)jitter->steps));
	json_end(json, '}');
	json_unsigned(json, "start_ns", jitter->start_ns);
	json_unsigned(json, "wall_ns", jitter->wall_ns);
	json_unsigned(json, "cpu_ns", jitter->cpu_ns);
	json_notices(json, &jitter->notices);
	json_end(json, '}');
}

static void print(const struct jitter *jitter, const struct sample_totals *totals)
{
	for (unsigned int i = 0; i < jitter->notices.count; i++)
		printf("notice: %s\n", jitter->notices.text[i]);
	printf("linux task, period %.1f us, CPU %d: %" PRIu64 " samples, %" PRIu64 " overruns\n",
	       (double)jitter->period_ns / 1e3, jitter->machine.cpu, totals->samples,
	       totals->overruns);
	printf("latency min %.3f us, avg %.3f us, max %.3f us\n", (double)totals->min_ns / 1e3,
	       totals->sum_ns / (double)totals->samples / 1e3, (double)totals->max_ns / 1e3);
	if (jitter->steps > 0)
		printf("step from one start to the next, minus the period: min %.3f us, max %.3f "
		       "us, "
		       "rms %.3f us\n",
		       (double)jitter->step_min_ns / 1e3, (double)jitter->step_max_ns / 1e3,
		       sqrt(jitter->step_square_sum / (double)jitter->steps) / 1e3);
}

static int measure(struct jitter *jitter)
{
	struct sample_totals totals;

	if (run(jitter) < 0)
		return -1;
	totals = samples_totals(&jitter->store);
	if (!json_has_stdout(&jitter->json))
		print(jitter, &totals);
	write_json(jitter, &totals);
	return json_close(&jitter->json);
}

int main(int argc, char **argv)
{
	static struct jitter jitter = {
		.period_ns = 1000000, .duration_ns = 2000000000, .priority = 80};
	const char *json_path = NULL, *samples_path = NULL;
	bool die_with_parent = false;
	const struct argument table[] = {
		ARGUMENT_OF_PERIOD(&jitter.period_ns),
		ARGUMENT_OF_SECONDS(&jitter.duration_ns),
		ARGUMENT_OF_LOOPS(&jitter.loops),
		ARGUMENT_OF_CPU(&jitter.machine.cpu),
		ARGUMENT_OF_PRIORITY(&jitter.priority),
		ARGUMENT_OF_SAMPLES(&samples_path),
		ARGUMENT_OF_JSON(&json_path),
		ARGUMENT_OF_DYING(&die_with_parent),
		{.name = NULL},
	};
	double rate_hz;
	int status;

	jitter.machine.cpu = machine_highest_cpu();
	status = arguments_parse(
		"How late, and how regularly, a plain periodic SCHED_FIFO thread starts.", table,
		argc, argv);
	if (status != 0)
		return status < 0 ? 2 : 0;
	if (die_with_parent)
		machine_die_with_parent();
	if (jitter.loops == 0)
		jitter.loops = (jitter.duration_ns + jitter.period_ns - 1) / jitter.period_ns;
	rate_hz = 1e9 / (double)jitter.period_ns;
	if (machine_prepare(&jitter.machine, jitter.machine.cpu, jitter.priority, &jitter.notices) <
		    0 ||
	    json_open(&jitter.json, json_path) < 0 ||
	    samples_open(&jitter.store, 1, &jitter.loops, &rate_hz, samples_path) < 0)
		return 2;
	status = measure(&jitter) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	samples_close(&jitter.store);
	return status;
}
