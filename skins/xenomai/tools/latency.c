/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * latency and altency: how late a periodic task starts, second by second, with the options and the
 * table that users of Xenomai know. What samples is another file in each of them. Exit status 0:
 * measured; 1: it failed, or -b found a mode switch; 2: it could not start.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tools/latency.h"
#include "tools/program.h"

struct latency {
	struct latency_options options;
	struct latency_histogram histogram[3]; /* of min, all samples, max */
	struct latency_window last;
	int64_t best_ns;
	int64_t worst_ns;
	int64_t averages_ns; /* sum of those of the windows */
	uint64_t windows;
	uint64_t seconds; /* of them */
	uint64_t overruns;
	uint64_t switches;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static bool has_histograms(const struct latency_options *options)
{
	return options->histograms || options->statistics || options->gnuplot;
}

static double us(int64_t ns)
{
	return (double)ns / 1000.0;
}

static void print_time(uint64_t seconds)
{
	printf("%.2" PRIu64 ":%.2" PRIu64 ":%.2" PRIu64, seconds / 3600, seconds / 60 % 60,
	       seconds % 60);
}

static void print_window(const struct latency *run)
{
	const struct latency_options *options = &run->options;

	if (options->header_lines && (run->windows - 1) % (uint64_t)options->header_lines == 0) {
		printf("RTT|  ");
		print_time(run->seconds);
		printf("  (%s, %" PRIu64 " us period, priority %d)\n",
		       latency_mode_name(options->mode), options->period_ns / 1000,
		       options->priority);
		printf("RTH|%11s|%11s|%11s|%8s|%6s|%11s|%11s\n", "----lat min", "----lat avg",
		       "----lat max", "-overrun", "---msw", "---lat best", "--lat worst");
	}
	printf("RTD|%11.3f|%11.3f|%11.3f|%8" PRIu64 "|%6" PRIu64 "|%11.3f|%11.3f\n",
	       us(run->last.min_ns), us(run->last.sum_ns / (int64_t)run->last.samples),
	       us(run->last.max_ns), run->overruns, run->switches, us(run->best_ns),
	       us(run->worst_ns));
	fflush(stdout);
}

static void account(struct latency *run)
{
	const struct latency_window *last = &run->last;

	if (!run->windows || last->min_ns < run->best_ns)
		run->best_ns = last->min_ns;
	if (!run->windows || last->max_ns > run->worst_ns)
		run->worst_ns = last->max_ns;
	run->averages_ns += last->sum_ns / (int64_t)last->samples;
	run->overruns += last->overruns;
	run->switches = last->switches;
	run->windows++;
	run->seconds += last->seconds;
	if (has_histograms(&run->options)) {
		latency_histogram_add(&run->histogram[0], last->min_ns);
		latency_histogram_add(&run->histogram[2], last->max_ns);
	}
}

static int measure(struct latency *run)
{
	const struct latency_options *options = &run->options;
	bool warm = false;

	while (!interrupted && (!options->duration || run->seconds < options->duration)) {
		int result = latency_sampler_next(&run->last);

		if (result < 0)
			return -1;
		if (!result)
			continue;
		if (!warm) {
			warm = true;
			continue;
		}
		account(run);
		if (!options->quiet)
			print_window(run);
		if (options->break_on_switch && run->switches) {
			fprintf(stderr, "%s: the task went to secondary mode, stopping (-b)\n",
				latency_name);
			return -1;
		}
	}
	return 0;
}

static int report(const struct latency *run)
{
	const uint64_t wanted = run->options.duration ? run->options.duration : run->seconds;
	int status = 0;

	if (!run->windows) {
		fprintf(stderr, "%s: interrupted before one second was measured\n", latency_name);
		return -1;
	}
	if (has_histograms(&run->options))
		status = latency_histogram_report(&run->options, run->histogram);
	printf("---|-----------|-----------|-----------|--------|------|-------------------------"
	       "\n");
	printf("RTS|%11.3f|%11.3f|%11.3f|%8" PRIu64 "|%6" PRIu64 "|    ", us(run->best_ns),
	       us(run->averages_ns / (int64_t)run->windows), us(run->worst_ns), run->overruns,
	       run->switches);
	print_time(run->seconds);
	putchar('/');
	print_time(wanted);
	putchar('\n');
	return fflush(stdout) ? -1 : status;
}

static void announce(const struct latency_options *options)
{
	printf("== Sampling period: %" PRIu64 " us\n== Test mode: %s\n"
	       "== All results in microseconds\nwarming up...\n",
	       options->period_ns / 1000, latency_mode_name(options->mode));
	fflush(stdout);
	if (options->quiet)
		fprintf(stderr, "running quietly for %" PRIu64 " seconds\n", options->duration);
}

int main(int argc, char **argv)
{
	static struct latency run;
	int status = latency_options_parse(&run.options, argc, argv);

	if (status)
		return status < 0 ? 2 : 0;
	for (int i = 0; has_histograms(&run.options) && i < 3; i++)
		if (latency_histogram_make(&run.histogram[i], &run.options))
			return 2;
	(void)mlockall(MCL_CURRENT | MCL_FUTURE);
	program_end_by(interrupt);
	announce(&run.options);
	if (latency_sampler_start(&run.options,
				  has_histograms(&run.options) ? &run.histogram[1] : NULL))
		return 2;
	status = measure(&run);
	latency_sampler_stop();
	/* It has told why. */
	if (status && !run.windows)
		return EXIT_FAILURE;
	return report(&run) || status ? EXIT_FAILURE : EXIT_SUCCESS;
}
