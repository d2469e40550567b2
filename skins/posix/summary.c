/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary: tasks in the order of their ends, what they did and how they slept, then a line a
 * CPU, and one a place. */
#define _GNU_SOURCE
#include "summary.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include <tactus/stat.h>

#include "real.h"
#include "sites.h"

#define LINES 256u /* later tasks are counted only */

struct line {
	pid_t tid;
	int policy;
	int priority;
	uint64_t run_ns, switches, mode_switches, faults;
	uint64_t sleeps, overruns, late_sum_ns, late_max_ns;
};

bool posix_summary_wanted;

static struct line lines[LINES];
static unsigned taken;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void posix_summary_take(struct posix_thread *thread, const struct tact_task_info *info)
{
	if (!posix_summary_wanted || atomic_exchange(&thread->summed, true))
		return;
	posix_real.pthread_mutex_lock(&mutex);
	if (taken < LINES)
		lines[taken] = (struct line){
			.tid = thread->tid,
			.policy = thread->last_policy,
			.priority = thread->last_priority,
			.run_ns = info->run_ns,
			.switches = info->switches,
			.mode_switches = info->mode_switches,
			.faults = info->faults,
			.sleeps = thread->sleeps,
			.overruns = thread->overruns,
			.late_sum_ns = thread->late_sum_ns,
			.late_max_ns = thread->late_max_ns,
		};
	taken++;
	posix_real.pthread_mutex_unlock(&mutex);
}

void posix_summary_forked(void)
{
	pthread_mutex_init(&mutex, NULL);
	taken = 0;
}

static const char *policy_name(int policy)
{
	return policy == SCHED_DEADLINE ? "EDF" : policy == SCHED_RR ? "RR" : "FIFO";
}

/* How its CPUs waited, which tells the machine's share of a late task. */
static void print_cpus(void)
{
	struct tact_cpu_info info;

	fprintf(stderr, "tactus: %8s %10s %10s %10s %10s\n", "CPU", "IDLE-ms", "SPUN-ms", "GAP-ns",
		"WOKEN-ns");
	for (uint32_t cpu = 0; tact_cpu_inquire(cpu, &info) == 0; cpu++)
		fprintf(stderr, "tactus: %8u %10.3f %10.3f %10llu %10llu\n", info.linux_cpu,
			(double)info.idle_ns / 1e6, (double)info.spun_ns / 1e6,
			(unsigned long long)info.gap_max_ns,
			(unsigned long long)info.wake_late_max_ns);
}

static void print_runs(unsigned count)
{
	fprintf(stderr, "tactus: %8s %6s %4s %10s %9s %8s %6s\n", "TID", "POLICY", "PRIO", "RUN-ms",
		"SWITCHES", "TO-LINUX", "FAULTS");
	for (const struct line *line = lines; line < lines + count; line++)
		fprintf(stderr, "tactus: %8d %6s %4d %10.3f %9llu %8llu %6llu\n", line->tid,
			policy_name(line->policy), line->priority, (double)line->run_ns / 1e6,
			(unsigned long long)line->switches, (unsigned long long)line->mode_switches,
			(unsigned long long)line->faults);
}

static void print_sleeps(unsigned count)
{
	fprintf(stderr, "tactus: %8s %8s %8s %10s %10s\n", "TID", "SLEEPS", "OVERRUNS", "LATE-ns",
		"LATEST-ns");
	for (const struct line *line = lines; line < lines + count; line++)
		fprintf(stderr, "tactus: %8d %8llu %8llu %10llu %10llu\n", line->tid,
			(unsigned long long)line->sleeps, (unsigned long long)line->overruns,
			(unsigned long long)(line->sleeps ? line->late_sum_ns / line->sleeps : 0),
			(unsigned long long)line->late_max_ns);
}

/* No line is longer than a terminal's 80 columns, but where names of functions are. */
void posix_summary_print(void)
{
	unsigned count = taken < LINES ? taken : LINES;

	if (!posix_summary_wanted || !taken)
		return;
	fprintf(stderr, "tactus: %s: %u task%s\n", program_invocation_short_name, taken,
		taken > 1 ? "s" : "");
	print_runs(count);
	print_sleeps(count);
	print_cpus();
	posix_sites_print();
}
