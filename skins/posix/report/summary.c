/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary: the threads in the order of their ends as tasks, with what they did and how they
 * slept; then a line for each CPU and a line for each place. */
#define _GNU_SOURCE
#include "posix/report/summary.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <tactus/stat.h>

#include "posix/libc/print.h"
#include "posix/libc/real.h"
#include "posix/report/sites.h"
#include "posix/state/options.h"
#include "posix/state/stay.h"

#define LINES 256u /* later threads are only counted */

struct line {
	pid_t tid;
	int policy;
	int priority;
	uint64_t run_ns, switches, mode_switches, faults, stays;
	uint64_t sleeps, overruns, late_sum_ns, late_max_ns;
};

static struct line lines[LINES];
static unsigned taken;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A thread that starts a program, or has another policy for a while, is several tasks one after
 * another. */
static void add(struct line *line, const struct posix_thread *thread,
		const struct tact_task_info *info)
{
	line->tid = thread->tid;
	line->policy = thread->summary.last_policy;
	line->priority = thread->summary.last_priority;
	line->run_ns += info->run_ns;
	line->switches += info->switches;
	line->mode_switches += info->mode_switches;
	line->faults += info->faults;
	line->stays += thread->summary.stayed;
	line->sleeps += thread->late.sleeps;
	line->overruns += thread->late.overruns;
	line->late_sum_ns += thread->late.sum_ns;
	if (thread->late.max_ns > line->late_max_ns)
		line->late_max_ns = thread->late.max_ns;
}

void posix_summary_take(struct posix_thread *thread, const struct tact_task_info *info)
{
	if (!posix_summary_wanted || atomic_exchange(&thread->summary.is_taken, true))
		return;
	posix_real.pthread_mutex_lock(&mutex);
	if (!thread->summary.number)
		thread->summary.number = ++taken;
	if (thread->summary.number <= LINES)
		add(&lines[thread->summary.number - 1], thread, info);
	posix_real.pthread_mutex_unlock(&mutex);
}

void posix_summary_forked(void)
{
	posix_lock_forked(&mutex);
	if (taken)
		memset(lines, 0, sizeof(lines));
	taken = 0;
	posix_me.summary.number = 0;
}

static const char *policy_name(int policy)
{
	return policy == SCHED_DEADLINE ? "EDF" : policy == SCHED_RR ? "RR" : "FIFO";
}

/* How the CPUs waited, which shows how much of a task's lateness the machine has caused. */
static void print_cpus(struct posix_print *to)
{
	struct tact_cpu_info info = {0};

	posix_print(to, "tactus: %8s %10s %10s %10s %16s\n", "CPU", "IDLE-ms", "SPUN-ms",
		    "GAP-MAX-ns", "WAKE-LATE-MAX-ns");
	for (uint32_t cpu = 0; tact_cpu_inquire(cpu, &info) == 0; cpu++)
		posix_print(to, "tactus: %8u %10.3f %10.3f %10llu %16llu\n", info.linux_cpu,
			    (double)info.idle_ns / 1e6, (double)info.spun_ns / 1e6,
			    (unsigned long long)info.gap_max_ns,
			    (unsigned long long)info.wake_late_max_ns);
}

static void print_runs(struct posix_print *to, unsigned count)
{
	posix_print(to, "tactus: %8s %6s %4s %10s %9s %8s %6s %5s\n", "TID", "POLICY", "PRIO",
		    "RUN-ms", "SWITCHES", "TO-LINUX", "FAULTS", "STAYS");
	for (const struct line *line = lines; line < lines + count; line++)
		posix_print(to, "tactus: %8d %6s %4d %10.3f %9llu %8llu %6llu %5llu\n", line->tid,
			    policy_name(line->policy), line->priority, (double)line->run_ns / 1e6,
			    (unsigned long long)line->switches,
			    (unsigned long long)line->mode_switches,
			    (unsigned long long)line->faults, (unsigned long long)line->stays);
}

static void print_sleeps(struct posix_print *to, unsigned count)
{
	posix_print(to, "tactus: %8s %8s %8s %10s %10s\n", "TID", "SLEEPS", "OVERRUNS", "LATE-ns",
		    "LATEST-ns");
	for (const struct line *line = lines; line < lines + count; line++)
		posix_print(
			to, "tactus: %8d %8llu %8llu %10llu %10llu\n", line->tid,
			(unsigned long long)line->sleeps, (unsigned long long)line->overruns,
			(unsigned long long)(line->sleeps ? line->late_sum_ns / line->sleeps : 0),
			(unsigned long long)line->late_max_ns);
}

/* No line is longer than a terminal's 80 columns, except those with names of functions. */
void posix_summary_print(void)
{
	static struct posix_print to = {.fd = STDERR_FILENO};
	const unsigned count = taken < LINES ? taken : LINES;
	const unsigned stayed = posix_stay_count();

	if (!posix_summary_wanted)
		return;
	if (stayed)
		posix_print(&to,
			    "tactus: %s: %u real-time thread%s stayed with Linux, without a wait\n",
			    program_invocation_short_name, stayed, stayed > 1 ? "s" : "");
	if (!taken) {
		(void)posix_print_end(&to);
		return;
	}
	posix_print(&to, "tactus: %s: %u task%s\n", program_invocation_short_name, taken,
		    taken > 1 ? "s" : "");
	print_runs(&to, count);
	print_sleeps(&to, count);
	if (taken > count)
		posix_print(&to, "tactus: and %u more\n", taken - count);
	print_cpus(&to);
	posix_sites_print(&to);
	(void)posix_print_end(&to);
}
