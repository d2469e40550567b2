/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The same periodic loop as Tactus tasks, full or light, through the public API alone. Latency is
 * read from Linux's clock, as for the peers and independent of the library; only in virtual time
 * there is no other clock than the library's.
 */
#include <stdio.h>
#include <string.h>

#include <tactus/tact.h>

#include "clock.h"
#include "own_status.h"
#include "run.h"

#define FIRST_PRIORITY 200u
/* Signal frames, this loop, and the vDSO's clock. */
#define STACK_BYTES 65536u

struct tactus_task {
	struct latency_run *run;
	uint32_t index;
	int error; /* of the task's own calls */
	tact_task_t handle;
};

static inline uint64_t now_ns(const struct latency_run *run)
{
	return run->options.core == LATENCY_CORE_SIM ? tact_now().ns : clock_now_ns();
}

static void work(const struct latency_run *run, const struct task_plan *plan)
{
	if (run->options.core == LATENCY_CORE_SIM)
		tact_compute(plan->work_ns);
	else
		taskset_work(run->work_rounds);
}

static void record(struct tactus_task *task, uint64_t release_ns, uint64_t started_ns,
		   uint64_t missed)
{
	struct latency_run *run = task->run;

	/* The last of the missed releases is this one, taken late; those before it were skipped. */
	samples_push(&run->store, task->index, release_ns - run->start_ns,
		     (int64_t)(started_ns - release_ns), missed > 0 ? (uint32_t)(missed - 1) : 0);
	work(run, &run->plans[task->index]);
}

static void task_loop(void *arg)
{
	struct tactus_task *task = arg;
	const struct latency_run *run = task->run;
	const uint64_t period_ns = run->plans[task->index].period_ns;
	const uint64_t end_ns = run->start_ns + run->options.duration_ns;
	tact_time_t release;

	do {
		uint64_t missed = 0;
		const int error = tact_task_wait_period(&missed, &release);
		const uint64_t started_ns = now_ns(run);

		if (error != 0 && error != -TACT_ETIMEDOUT) {
			task->error = error;
			return;
		}
		if (release.ns >= end_ns)
			return;
		record(task, release.ns, started_ns, missed);
	} while (release.ns + period_ns < end_ns);
}

static int start_task(struct tactus_task *task)
{
	struct latency_run *run = task->run;
	const struct task_plan *plan = &run->plans[task->index];
	const bool light = run->options.context == LATENCY_CONTEXT_LIGHT;
	const struct tact_task_attr attributes = {
		.priority = FIRST_PRIORITY - task->index,
		.flags = light ? TACT_TASK_LIGHT : TACT_TASK_NO_LINUX,
		.stack_bytes = STACK_BYTES,
	};
	const tact_time_t first = {run->start_ns + plan->offset_ns};
	int error = tact_task_create(&attributes, &task->handle);

	if (error == 0)
		error = tact_task_set_periodic(task->handle, first, plan->period_ns);
	if (error == 0)
		error = tact_task_start(task->handle, task_loop, task);
	return error;
}

/* Start all or none. */
static int start_tasks(struct latency_run *run, struct tactus_task *tasks)
{
	for (unsigned int i = 0; i < run->options.tasks; i++) {
		int error;

		tasks[i] = (struct tactus_task){.run = run, .index = i};
		error = start_task(&tasks[i]);
		if (error == 0)
			continue;
		for (unsigned int j = 0; j <= i; j++)
			(void)tact_task_delete(tasks[j].handle);
		return error;
	}
	return 0;
}

static int join_tasks(struct latency_run *run, struct tactus_task *tasks)
{
	int error = 0;

	for (unsigned int i = 0; i < run->options.tasks; i++) {
		int joined = tact_task_join(tasks[i].handle, TACT_FOREVER);

		/* 1: a fault ended it, which the library has reported. */
		if (joined == 0)
			joined = tasks[i].error;
		else if (joined > 0)
			joined = -TACT_EFAULT;
		if (error == 0)
			error = joined;
	}
	return error;
}

static int start_tactus(struct latency_run *run)
{
	const struct latency_options *options = &run->options;
	const uint32_t cpu = (uint32_t)options->cpu;
	const enum tact_idle idle[] = {
		[LATENCY_IDLE_SLEEP] = TACT_IDLE_SLEEP,
		[LATENCY_IDLE_HYBRID] = TACT_IDLE_HYBRID,
		[LATENCY_IDLE_SPIN] = TACT_IDLE_SPIN,
	};
	const struct tact_config config = {
		.name = "tactus-latency",
		.cpus = 1,
		.linux_cpu = options->core == LATENCY_CORE_SIM ? NULL : &cpu,
		.priority = (uint32_t)options->priority,
		.idle = idle[options->idle],
	};
	char reason[TACT_REASON_BYTES];
	const int error = tact_start(&config, reason);

	if (error != 0) {
		fprintf(stderr, "tactus-latency: %s\n", reason);
		return -1;
	}
	if (reason[0] != '\0')
		notices_add(&run->notices, "%s", reason);
	return 0;
}

int tactus_loop_run(struct latency_run *run)
{
	struct tactus_task tasks[LATENCY_TASKS_MAX];
	uint64_t begin_ns, begin_cpu_ns, begin_spun_ns;
	int error;

	if (start_tactus(run) < 0)
		return -1;
	/* Only now: the library takes CPUs that the calling thread may use. */
	machine_leave_cpu(&run->machine);
	if (samples_start(&run->store) < 0) {
		(void)tact_stop();
		return -1;
	}
	begin_ns = tact_now().ns;
	begin_cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
	begin_spun_ns = own_status_spun_ns();
	run->start_ns = begin_ns + RUN_SETTLE_NS;
	error = start_tasks(run, tasks);
	if (error == 0)
		error = join_tasks(run, tasks);
	run->wall_ns = tact_now().ns - begin_ns;
	run->cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu_ns;
	run->spun_ns = own_status_spun_ns() - begin_spun_ns;
	(void)tact_stop();
	if (error == 0)
		return 0;
	fprintf(stderr,
		"tactus-latency: a task failed (%s): measure fewer tasks, or see what the "
		"library reported above\n",
		strerror(-error));
	return -1;
}
