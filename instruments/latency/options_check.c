/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks combinations of options, each of which is valid alone. */
#include <stdio.h>

#include "options.h"

static int check_lead(const struct latency_options *o)
{
	const bool spins = o->back_end == LATENCY_BACK_END_LINUX_SPIN;

	if (!spins && !o->lead_given)
		return 0;
	if (!spins && (o->back_end == LATENCY_BACK_END_LINUX || o->idle != LATENCY_IDLE_HYBRID)) {
		fprintf(stderr, "tactus-latency: --lead-us is only for the core linux-spin and the "
				"idle policy hybrid: leave it out\n");
		return -1;
	}
	if (!spins && (o->lead_ns == 0 || o->lead_ns > LATENCY_GRAVITY_MAX_NS)) {
		fprintf(stderr,
			"tactus-latency: --lead-us %g: use more than 0 and at most %g for Tactus\n",
			(double)o->lead_ns / 1e3, LATENCY_GRAVITY_MAX_NS / 1e3);
		return -1;
	}
	if (o->lead_ns > o->period_ns / 2) {
		fprintf(stderr,
			"tactus-latency: a lead of %g us spins away more than half of a period of "
			"%g us: lower --lead-us or raise --period-us\n",
			(double)o->lead_ns / 1e3, (double)o->period_ns / 1e3);
		return -1;
	}
	return 0;
}

int options_check(const struct latency_options *o)
{
	if (check_lead(o) < 0)
		return -1;
	if (o->cpus > 1 && o->back_end <= LATENCY_BACK_END_LINUX_SPIN) {
		fprintf(stderr, "tactus-latency: --cpus is only for the cores thread, sim and "
				"bare: leave it out\n");
		return -1;
	}
	if (options_entries(o) > LATENCY_TASKS_MAX) {
		fprintf(stderr,
			"tactus-latency: %u CPUs with %u tasks each are more than %d tasks: lower "
			"--tasks or --cpus\n",
			o->cpus, o->tasks, LATENCY_TASKS_MAX);
		return -1;
	}
	if (o->cpu < 0) {
		fprintf(stderr,
			"tactus-latency: --cpus %u: the machine has fewer CPUs from there on: "
			"lower --cpus or --cpu\n",
			o->cpus);
		return -1;
	}
	if (o->priority < (int)o->tasks) {
		fprintf(stderr,
			"tactus-latency: --priority %d is too low for %u tasks of descending "
			"priority: use at least %u\n",
			o->priority, o->tasks, o->tasks);
		return -1;
	}
	if ((o->busy || o->gravity) && o->back_end <= LATENCY_BACK_END_LINUX_SPIN) {
		fprintf(stderr, "tactus-latency: --busy and --gravity are only for the cores "
				"thread, sim and bare: leave them out\n");
		return -1;
	}
	if (o->turns_ns && (o->back_end <= LATENCY_BACK_END_LINUX_SPIN ||
			    o->back_end == LATENCY_BACK_END_SIM || o->period_ns % o->turns_ns)) {
		fprintf(stderr, "tactus-latency: --turns-us is only for the cores thread and bare, "
				"and must divide the period\n");
		return -1;
	}
	if (!run_built(o->back_end, o->context)) {
		fprintf(stderr,
			"tactus-latency: this build has no context %s of core %s: use one that "
			"--cores prints\n",
			options_context_name(o->context), options_back_end_name(o->back_end));
		return -1;
	}
	return 0;
}
