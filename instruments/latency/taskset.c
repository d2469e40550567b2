/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The declared task set of taskset.h, and its work: a chain of dependent multiplications, which no
 * processor can shorten, and which touches no memory. */
#include "taskset.h"

#include "common/clock.h"

#define CALIBRATION_ROUNDS 200000u
#define CALIBRATION_TRIES  9
#define WORK_DIVISOR       2000u

static const unsigned int period_factors[] = {1, 1, 2, 2, 2, 2, 4, 4, 4, 4};

void taskset_plan(const struct latency_options *options, struct task_plan *plans)
{
	const uint64_t period_ns = options->period_ns;
	const unsigned int tasks = options->tasks;

	for (unsigned int entry = 0; entry < options_entries(options); entry++) {
		const unsigned int i = entry % tasks;
		struct task_plan *plan = &plans[entry];

		plan->cpu = entry / tasks;
		plan->period_ns = period_ns * period_factors[i % 10];
		plan->work_ns = tasks == 1 ? 0 : period_ns / WORK_DIVISOR;
		plan->offset_ns = plan->cpu * period_ns / (tasks * options->cpus);
		if (options->phases == LATENCY_PHASES_SPREAD)
			plan->offset_ns += i * period_ns / tasks;
	}
}

uint64_t taskset_calibrate(uint64_t work_ns)
{
	uint64_t best_ns = UINT64_MAX;

	if (work_ns == 0)
		return 0;
	/* The shortest of several tries, because an interrupted one would make the work too
	 * small. */
	for (int i = 0; i < CALIBRATION_TRIES; i++) {
		const uint64_t begin_ns = clock_now_ns();

		taskset_work(CALIBRATION_ROUNDS);
		const uint64_t used_ns = clock_now_ns() - begin_ns;

		if (used_ns < best_ns)
			best_ns = used_ns;
	}
	return (uint64_t)((double)work_ns * CALIBRATION_ROUNDS / (double)(best_ns ? best_ns : 1));
}

void taskset_work(uint64_t rounds)
{
	uint64_t value = rounds;

	for (uint64_t i = 0; i < rounds; i++) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		/* The compiler may neither drop nor fold the chain. */
		__asm__ volatile("" : "+r"(value));
	}
}
