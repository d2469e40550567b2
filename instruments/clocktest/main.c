/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-clocktest: is a clock the same clock on all CPUs? Each allowed CPU is compared with the
 * reference CPU: does the time ever step back from one to the other, how far are they apart, and
 * does the distance grow? It also measures the rates of the clocks on the reference, relative to
 * each other. Exit status 0: measured, whatever the result; 1: it failed; 2: it could not start.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arguments.h"
#include "common/clock.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/machine.h"
#include "pair.h"

struct clocktest {
	int cpu;
	int cpus[CPU_SETSIZE]; /* to compare with; the reference itself if there is no other */
	unsigned int count;
	uint64_t duration_ns;
	struct json json;
	struct notices notices;
	uint64_t began[CLOCK_KINDS];
	double rate[CLOCK_KINDS]; /* units per nanosecond of CLOCK_MONOTONIC */
};

static const char *const names[] = {"monotonic", "monotonic-raw", "realtime", "counter"};

static int find_cpus(struct clocktest *test)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return complain("the CPUs of this process cannot be read: %s", strerror(errno));
	if (test->cpu >= CPU_SETSIZE || !CPU_ISSET(test->cpu, &allowed))
		return complain(
			"CPU %d does not exist, or is not allowed here: use --cpu with another one",
			test->cpu);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && cpu != test->cpu)
			test->cpus[test->count++] = cpu;
	if (test->count == 0) {
		test->cpus[test->count++] = test->cpu;
		notices_add(&test->notices, "there is no other CPU to compare with: only the order "
					    "of one CPU's readings is checked");
	}
	return 0;
}

static void read_all(uint64_t values[CLOCK_KINDS])
{
	for (int kind = 0; kind < CLOCK_KINDS; kind++)
		values[kind] = clock_kind_read((enum clock_kind)kind);
}

static void find_rates(struct clocktest *test)
{
	uint64_t now[CLOCK_KINDS];

	read_all(now);
	for (int kind = 0; kind < CLOCK_KINDS; kind++)
		test->rate[kind] =
			(double)(now[kind] - test->began[kind]) /
			(double)(now[CLOCK_KIND_MONOTONIC] - test->began[CLOCK_KIND_MONOTONIC]);
}

/* Find the smallest step that is not zero, and the cost of a reading. */
static void find_step(enum clock_kind kind, uint64_t *step, double *cost_ns)
{
	const uint64_t begin_ns = clock_now_ns();
	uint64_t before = clock_kind_read(kind);
	int readings = 0;

	*step = UINT64_MAX;
	for (; readings < 20000; readings++) {
		const uint64_t now = clock_kind_read(kind);

		if (now > before && now - before < *step)
			*step = now - before;
		before = now;
	}
	*cost_ns = (double)(clock_now_ns() - begin_ns) / readings;
}

/* The drift of the other CPU's clock in parts per thousand million, with its `error`. */
static void find_drift(const struct pair_result *pair, double *drift_ppb, double *error_ppb)
{
	*drift_ppb = (double)(pair->offset_last - pair->offset_first) / (double)pair->between * 1e9;
	*error_ppb = 2.0 * (double)pair->offset_error / (double)pair->between * 1e9;
}

static void write_pair(struct clocktest *test, int cpu, double rate, const struct pair_result *pair)
{
	struct json *json = &test->json;
	double drift_ppb, error_ppb;

	find_drift(pair, &drift_ppb, &error_ppb);
	json_begin(json, NULL, '{');
	json_signed(json, "cpu", cpu);
	json_unsigned(json, "readings", pair->readings);
	json_unsigned(json, "backwards", pair->backwards);
	json_real(json, "backwards_max_ns", (double)pair->backwards_max / rate);
	json_real(json, "offset_ns", (double)pair->offset_last / rate);
	json_real(json, "offset_error_ns", (double)pair->offset_error / rate);
	json_real(json, "drift_ppb", drift_ppb);
	json_real(json, "drift_error_ppb", error_ppb);
	json_end(json, '}');
	if (json_has_stdout(json))
		return;
	printf("  CPU %d and %d: %llu readings, %llu backwards", test->cpu, cpu,
	       (unsigned long long)pair->readings, (unsigned long long)pair->backwards);
	if (pair->backwards > 0)
		printf(" by up to %.0f ns", (double)pair->backwards_max / rate);
	if (cpu != test->cpu)
		printf("; offset %.0f ns within %.0f, drift %.0f ppb within %.0f",
		       (double)pair->offset_last / rate, (double)pair->offset_error / rate,
		       drift_ppb, error_ppb);
	putchar('\n');
}

static int test_clock(struct clocktest *test, enum clock_kind kind)
{
	const uint64_t share_ns = test->duration_ns / CLOCK_KINDS / test->count;
	uint64_t step;
	double cost_ns, rate;

	find_step(kind, &step, &cost_ns);
	find_rates(test);
	/* Ticks of the counter; the other clocks have nanoseconds, whatever their rate. */
	rate = kind == CLOCK_KIND_COUNTER ? test->rate[kind] : 1.0;
	json_begin(&test->json, NULL, '{');
	json_text(&test->json, "clock", names[kind]);
	json_real(&test->json, "read_ns", cost_ns);
	json_real(&test->json, "step_ns", (double)step / rate);
	json_begin(&test->json, "pairs", '[');
	if (!json_has_stdout(&test->json))
		printf("%s: a reading takes %.1f ns, its smallest step is %.1f ns\n", names[kind],
		       cost_ns, (double)step / rate);
	for (unsigned int i = 0; i < test->count; i++) {
		struct pair_result pair;

		if (pair_compare(kind, test->cpu, test->cpus[i], share_ns, &pair) < 0)
			return -1;
		write_pair(test, test->cpus[i], rate, &pair);
	}
	json_end(&test->json, ']');
	json_end(&test->json, '}');
	return 0;
}

static void write_rates(struct clocktest *test)
{
	find_rates(test);
	json_begin(&test->json, "rates", '{');
	json_real(&test->json, "monotonic_raw_ppb", (test->rate[CLOCK_KIND_RAW] - 1) * 1e9);
	json_real(&test->json, "realtime_ppb", (test->rate[CLOCK_KIND_REALTIME] - 1) * 1e9);
	json_real(&test->json, "counter_hz", test->rate[CLOCK_KIND_COUNTER] * 1e9);
	json_end(&test->json, '}');
	if (json_has_stdout(&test->json))
		return;
	printf("against monotonic: monotonic-raw %+.0f ppb, realtime %+.0f ppb, the counter has "
	       "%.0f Hz\n",
	       (test->rate[CLOCK_KIND_RAW] - 1) * 1e9, (test->rate[CLOCK_KIND_REALTIME] - 1) * 1e9,
	       test->rate[CLOCK_KIND_COUNTER] * 1e9);
	for (unsigned int i = 0; i < test->notices.count; i++)
		printf("notice: %s\n", test->notices.text[i]);
}

static int run(struct clocktest *test)
{
	json_begin(&test->json, NULL, '{');
	json_text(&test->json, "instrument", "clocktest");
	json_signed(&test->json, "cpu", test->cpu);
	json_begin(&test->json, "clocks", '[');
	read_all(test->began);
	for (int kind = 0; kind < CLOCK_KINDS; kind++)
		if (test_clock(test, (enum clock_kind)kind) < 0)
			return -1;
	json_end(&test->json, ']');
	write_rates(test);
	json_notices(&test->json, &test->notices);
	json_end(&test->json, '}');
	return json_close(&test->json);
}

int main(int argc, char **argv)
{
	static struct clocktest test = {.duration_ns = 4000000000u};
	const char *json_path = NULL;
	bool die_with_parent = false;
	const struct argument table[] = {
		ARGUMENT_OF_SECONDS(&test.duration_ns),
		{"cpu", ARGUMENT_INTEGER, &test.cpu, 0, 4095, NULL,
		 "the reference CPU, with which all others are compared"},
		ARGUMENT_OF_JSON(&json_path),
		ARGUMENT_OF_DYING(&die_with_parent),
		{.name = NULL},
	};
	int status;

	test.cpu = machine_highest_cpu();
	status = arguments_parse("Are the clocks in order, and do they run alike, on all CPUs?",
				 table, argc, argv);
	if (status != 0)
		return status < 0 ? 2 : 0;
	if (die_with_parent)
		machine_die_with_parent();
	if (find_cpus(&test) < 0 || json_open(&test.json, json_path) < 0)
		return 2;
	return run(&test) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
