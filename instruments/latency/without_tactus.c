/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces tactus_loop.c in a build without the nucleus: measures a machine with Linux's own
 * threads only. */
#include <stdio.h>

#include "run.h"

bool run_built(enum latency_back_end back_end, enum latency_context context)
{
	return back_end <= LATENCY_BACK_END_LINUX_SPIN && context == LATENCY_CONTEXT_TASK;
}

int tactus_loop_run(struct latency_run *run)
{
	fprintf(stderr, "tactus-latency: this build does not have the core %s\n",
		options_back_end_name(run->options.back_end));
	return -1;
}

int tactus_loop_print_gravity(struct latency_run *run)
{
	(void)run;
	return -1;
}
