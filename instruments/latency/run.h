/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One run: the input of every core (the plan, the sample store, the work) and its output. */
#ifndef LATENCY_RUN_H
#define LATENCY_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/machine.h"
#include "common/notices.h"
#include "options.h"
#include "common/samples.h"
#include "taskset.h"

/* From the start of the tasks to their first release, so that all of them can be ready. */
#define RUN_SETTLE_NS 50000000u

struct latency_run {
	struct latency_options options;
	struct task_plan plans[LATENCY_TASKS_MAX];
	struct machine machine;
	struct sample_store store;
	struct notices notices;
	uint64_t work_rounds; /* of taskset_work(), at each release */
	/* Set by the core: */
	uint64_t start_ns; /* of the run, on the core's clock; releases count from here */
	uint64_t wall_ns;  /* start of the tasks to the end of the last one */
	uint64_t cpu_ns;   /* processor time of the process in that time */
	uint64_t
		anticipated_ns; /* by which the way to a release's first instruction begins early */
	uint64_t spun_ns;       /* of it, in which a core waited and kept the processor */
};

/*
 * The cores. Each creates the tasks of the plan, pushes a sample at the first instruction of every
 * release before options.duration_ns, and joins its tasks. Releases that passed while a task still
 * ran are skipped, and counted as overruns of its next sample, except the last one, which is taken
 * late. A handler that is called late is called once, also for the releases after it, which are
 * overruns. Returns 0, or -1 after one line on stderr.
 */
int linux_loop_run(struct latency_run *run);
int tactus_loop_run(struct latency_run *run);

/* Print the gravity of Tactus on the CPU. Returns 0, or -1 after one line on stderr. */
int tactus_loop_print_gravity(struct latency_run *run);

/* The release after `release_ns` for a task that became ready at done_ns; *skipped releases are
 * between the two. */
static inline uint64_t run_next_release(uint64_t release_ns, uint64_t period_ns, uint64_t done_ns,
					uint32_t *skipped)
{
	const uint64_t next_ns = release_ns + period_ns;

	*skipped = done_ns > next_ns ? (uint32_t)((done_ns - next_ns) / period_ns) : 0;
	return next_ns + *skipped * period_ns;
}

#endif
