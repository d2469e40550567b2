/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run on Tactus, through the public API alone: start the library on the CPU under test, run the
 * set in the requested context, give everything back. */
#include "tactus_loop.h"

#include <stdio.h>
#include <string.h>

#include "abi/status.h"
#include "own_status.h"

#define BUSY_PRIORITY  1u
#define START_PRIORITY 100u /* below the tasks of the set */
#define BUSY_STEP_NS   1000u

struct starter {
	int (*start)(struct tactus_entry *entries, unsigned int count);
	struct tactus_entry *entries;
	unsigned int count;
	int error;
};

/* The library that the dynamic linker found determines the core. */
static bool is_back_end(enum latency_back_end wanted)
{
	const uint32_t back_ends[] = {
		[LATENCY_BACK_END_SIM] = TACT_STATUS_CORE_SIM,
		[LATENCY_BACK_END_THREAD] = TACT_STATUS_CORE_THREAD,
		[LATENCY_BACK_END_BARE] = TACT_STATUS_CORE_BARE,
	};

	if (own_status_back_end() == back_ends[wanted])
		return true;
	fprintf(stderr,
		"tactus-latency: the loaded library does not have the core %s: set LD_LIBRARY_PATH "
		"to %s\n",
		options_back_end_name(wanted),
		wanted == LATENCY_BACK_END_BARE ? "the folder tactus/bare beside the library"
						: "a path without tactus/bare");
	return false;
}

static uint64_t anticipated_ns(enum latency_context context)
{
	struct tact_cpu_info info = {0};

	if (tact_cpu_inquire(0, &info))
		return 0;
	switch (context) {
	case LATENCY_CONTEXT_HANDLER:
		return info.gravity.handler_ns;
	case LATENCY_CONTEXT_LIGHT:
		return info.gravity.light_ns;
	default:
		return info.gravity.task_ns;
	}
}

static int start_tactus(struct latency_run *run)
{
	const struct latency_options *options = &run->options;
	uint32_t cpus[LATENCY_CPUS_MAX];
	const enum tact_idle idle[] = {
		[LATENCY_IDLE_SLEEP] = TACT_IDLE_SLEEP,
		[LATENCY_IDLE_HYBRID] = TACT_IDLE_HYBRID,
		[LATENCY_IDLE_SPIN] = TACT_IDLE_SPIN,
	};
	const struct tact_config config = {
		.name = "tactus-latency",
		.cpus = options->cpus,
		.linux_cpu = options->back_end == LATENCY_BACK_END_SIM ? NULL : cpus,
		.priority = (uint32_t)options->priority,
		.idle = idle[options->idle],
		.gravity.idle_ns = options->lead_given ? (uint32_t)options->lead_ns : 0,
	};
	char reason[TACT_REASON_BYTES];
	int error;

	for (unsigned int i = 0; i < options->cpus; i++)
		cpus[i] = (uint32_t)options->cpu + i;
	error = tact_start(&config, reason);
	if (error != 0) {
		fprintf(stderr, "tactus-latency: %s\n", reason);
		return -1;
	}
	if (!is_back_end(options->back_end)) {
		(void)tact_stop();
		return -1;
	}
	if (reason[0] != '\0')
		notices_add(&run->notices, "%s", reason);
	run->anticipated_ns = anticipated_ns(options->context);
	return 0;
}

int tactus_loop_print_gravity(struct latency_run *run)
{
	struct tact_cpu_info info = {0};

	if (start_tactus(run) < 0)
		return -1;
	(void)tact_cpu_inquire(0, &info);
	(void)tact_stop();
	printf("{\"handler_ns\": %u, \"light_ns\": %u, \"task_ns\": %u, \"idle_ns\": %u, "
	       "\"preempt_ns\": %u}\n",
	       info.gravity.handler_ns, info.gravity.light_ns, info.gravity.task_ns,
	       info.gravity.idle_ns, info.gravity.preempt_ns);
	return 0;
}

static void compute(void *arg)
{
	const struct tactus_entry *entry = arg;

	/* The end moves while the start does. */
	while (tactus_entry_now_ns(entry) < tactus_entry_end_ns(entry))
		tact_compute(BUSY_STEP_NS);
}

/* The task that the others preempt. */
static int start_busy(struct tactus_entry *entry)
{
	char name[TACT_NAME_BYTES];
	const struct tact_task_attr attributes = {
		.name = name,
		.priority = BUSY_PRIORITY,
		.flags = TACT_TASK_LIGHT | TACT_ON_CPU(entry->index),
	};

	(void)snprintf(name, sizeof(name), "busy%u", entry->index);
	return tact_task_spawn(&attributes, compute, entry, &entry->task);
}

static void start_set(void *arg)
{
	struct starter *starter = arg;

	starter->error = starter->start(starter->entries, starter->count);
}

int tactus_start_in_task(int (*start)(struct tactus_entry *entries, unsigned int count),
			 struct tactus_entry *entries, unsigned int count)
{
	struct starter starter = {.start = start, .entries = entries, .count = count};
	const struct tact_task_attr attributes = {
		.name = "starter",
		.priority = START_PRIORITY,
		.flags = TACT_TASK_LIGHT,
	};
	tact_task_t task;
	int error = tact_task_spawn(&attributes, start_set, &starter, &task);

	if (error == 0)
		error = tact_task_join(task, TACT_FOREVER);
	return error > 0 ? -TACT_EFAULT : error < 0 ? error : starter.error;
}

static int run_set(struct latency_run *run, struct tactus_entry *entries)
{
	struct tactus_entry busy[LATENCY_CPUS_MAX];
	const unsigned int wanted = run->options.busy ? run->options.cpus : 0;
	const unsigned int count = options_entries(&run->options);
	unsigned int started = 0;
	int error = 0;

	for (; started < wanted && error == 0; started += error == 0) {
		busy[started] = (struct tactus_entry){.run = run, .index = started};
		error = start_busy(&busy[started]);
	}
	if (error == 0)
		error = run->options.context == LATENCY_CONTEXT_HANDLER
				? tactus_handlers_run(entries, count)
				: tactus_tasks_run(entries, count);
	for (unsigned int i = 0; i < started; i++)
		(void)tact_task_join(busy[i].task, TACT_FOREVER);
	return error;
}

/*
 * An emulator whose processors take turns ends a turn at each expiry of its own timer, at multiples
 * of its period. If a turn ended between a release's timer and its first instruction, another
 * processor would compute there; so the releases avoid these instants.
 */
static uint64_t clear_of_turns(uint64_t start_ns, uint64_t turns_ns)
{
	uint64_t now_ns = tact_now().ns;
	uint64_t counter = __builtin_ia32_rdtsc() + (start_ns - now_ns);

	return start_ns + (turns_ns + turns_ns / 4 - counter % turns_ns) % turns_ns;
}

void tactus_start_soon(struct latency_run *run)
{
	run->start_ns = tact_now().ns + RUN_SETTLE_NS;
	if (run->options.turns_ns)
		run->start_ns = clear_of_turns(run->start_ns, run->options.turns_ns);
}

int tactus_loop_run(struct latency_run *run)
{
	struct tactus_entry entries[LATENCY_TASKS_MAX];
	uint64_t begin_ns, begin_cpu_ns, begin_spun_ns;
	int error;

	if (start_tactus(run) < 0)
		return -1;
	/* Only now, because the library takes CPUs that the calling thread may use. */
	machine_leave_cpus(&run->machine, (int)run->options.cpus);
	if (samples_start(&run->store) < 0) {
		(void)tact_stop();
		return -1;
	}
	turns_begin();
	begin_ns = tact_now().ns;
	begin_cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
	begin_spun_ns = own_status_spun_ns();
	/* The busy task beside the set begins before it, and needs an end. */
	tactus_start_soon(run);
	for (unsigned int i = 0; i < options_entries(&run->options); i++)
		entries[i] = (struct tactus_entry){.run = run, .index = i};
	error = run_set(run, entries);
	turns_end();
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
