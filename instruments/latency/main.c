/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-latency: one run of one configuration. Exit status 0: the result on standard output is
 * complete; 1: the run failed, or a sample was lost; 2: it could not start.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock_first.h"
#include "result.h"
#include "run.h"

static int open_store(struct latency_run *run)
{
	const struct latency_options *options = &run->options;
	uint64_t expected[LATENCY_TASKS_MAX];
	double rate_hz[LATENCY_TASKS_MAX];

	for (unsigned int i = 0; i < options_entries(options); i++) {
		const uint64_t period_ns = run->plans[i].period_ns;

		expected[i] = options->duration_ns / period_ns + 1;
		rate_hz[i] = 1e9 / (double)period_ns;
	}
	return samples_open(&run->store, options_entries(options), expected, rate_hz,
			    options->samples_path);
}

static int run_back_end(struct latency_run *run)
{
	if (run->options.back_end <= LATENCY_BACK_END_LINUX_SPIN)
		return linux_loop_run(run);
	return tactus_loop_run(run);
}

static int measure(struct latency_run *run)
{
	if (run_back_end(run) < 0)
		return -1;
	if (samples_finish(&run->store, run->start_ns) < 0)
		return -1;
	if (samples_lost(&run->store) > 0) {
		fprintf(stderr,
			"tactus-latency: %" PRIu64
			" samples are lost, because their writer did not get enough CPU time: "
			"lower the load, or raise --period-us\n",
			samples_lost(&run->store));
		return -1;
	}
	return result_print(run);
}

int main(int argc, char **argv)
{
	static struct latency_run run;
	int status = options_parse(&run.options, argc, argv);

	if (status != 0)
		return status < 0 ? 2 : 0;
	if (run.options.die_with_parent)
		machine_die_with_parent();
	if (run.options.gravity)
		return tactus_loop_print_gravity(&run) < 0 ? 2 : EXIT_SUCCESS;
	taskset_plan(&run.options, run.plans);
	if (machine_prepare(&run.machine, run.options.cpu, run.options.priority, &run.notices) < 0)
		return 2;
	clock_first_begin();
	run.work_rounds = taskset_calibrate(run.plans[0].work_ns);
	if (open_store(&run) < 0)
		return 2;
	status = measure(&run) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	samples_close(&run.store);
	return status;
}
