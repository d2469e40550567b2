/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The loop as periodic tasks, full or light.
 */
#include "tactus_loop.h"

#define FIRST_PRIORITY 200u
#define RELEASE_TRIES  20
#define STACK_BYTES    65536u /* two signal frames, this loop and the vDSO's clock */

static void task_loop(void *arg)
{
	struct tactus_entry *entry = arg;
	const uint64_t period_ns = entry->run->plans[entry->index].period_ns;
	const uint64_t end_ns = tactus_entry_end_ns(entry);
	tact_time_t release;

	do {
		uint64_t missed = 0;
		const int error = tact_task_wait_period(&missed, &release);
		const uint64_t started_ns = tactus_entry_first_ns(entry);

		if (error != 0 && error != -TACT_ETIMEDOUT) {
			entry->error = error;
			return;
		}
		if (release.ns >= end_ns)
			return;
		/* The last of the missed releases is this one, taken late. */
		tactus_entry_serve(entry, release.ns, started_ns, missed > 0 ? missed - 1 : 0);
	} while (release.ns + period_ns < end_ns);
}

static int create(struct tactus_entry *entry)
{
	const struct latency_run *run = entry->run;
	const bool light = run->options.context == LATENCY_CONTEXT_LIGHT;
	const struct tact_task_attr attributes = {
		.priority = FIRST_PRIORITY - entry->index % run->options.tasks,
		.flags = (light ? TACT_TASK_LIGHT : TACT_TASK_NO_LINUX) |
			 TACT_ON_CPU(run->plans[entry->index].cpu),
		.stack_bytes = STACK_BYTES,
	};

	return tact_task_create(&attributes, &entry->task);
}

/* All first releases together, in the future. Without real-time priority, this may take too
 * long. */
static int set_releases(struct tactus_entry *entries, unsigned int count)
{
	struct latency_run *run = entries[0].run;
	int error = -TACT_ETIMEDOUT;

	for (int tries = 0; error == -TACT_ETIMEDOUT && tries < RELEASE_TRIES; tries++) {
		tactus_start_soon(run);
		error = 0;
		for (unsigned int i = 0; i < count && error == 0; i++) {
			const struct task_plan *plan = &run->plans[entries[i].index];
			const tact_time_t first = {run->start_ns + plan->offset_ns};

			error = tact_task_set_periodic(entries[i].task, first, plan->period_ns);
		}
	}
	return error;
}

static int start(struct tactus_entry *entries, unsigned int count)
{
	int error = set_releases(entries, count);

	for (unsigned int i = 0; i < count && error == 0; i++)
		error = tact_task_start(entries[i].task, task_loop, &entries[i]);
	return error;
}

static int join(struct tactus_entry *entry)
{
	const int result = tact_task_join(entry->task, TACT_FOREVER);

	/* 1: a fault ended it, which the library has reported. */
	return result > 0 ? -TACT_EFAULT : result < 0 ? result : entry->error;
}

int tactus_tasks_run(struct tactus_entry *entries, unsigned int count)
{
	unsigned int created = 0;
	int error = 0;

	for (; created < count && error == 0; created++)
		error = create(&entries[created]);
	if (error == 0)
		error = tactus_start_in_task(start, entries, count);
	if (error != 0) {
		/* If it was never made, the handle names nothing. */
		for (unsigned int i = 0; i < created; i++)
			(void)tact_task_delete(entries[i].task);
		return error;
	}
	for (unsigned int i = 0; i < count; i++) {
		const int joined = join(&entries[i]);

		if (error == 0)
			error = joined;
	}
	return error;
}
