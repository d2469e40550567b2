/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests for SCHED_DEADLINE. Linux checks the parameters of a thread and admits it, or not. Then
 * the thread becomes a task of the class CBS at the highest level, if its real-time CPU has room
 * for it, and otherwise remains a Linux thread. Source: sched_setattr(2), sched(7).
 */
#define _GNU_SOURCE
#include "posix/thread/edf.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/state/record.h"
#include "posix/thread/affinity.h"
#include "posix/thread/helper.h"
#include "posix/thread/thread.h"

#define LIMIT_USUAL  (POSIX_EDF_ONE / 100 * 95)
#define FLAG_RECLAIM 0x02u /* it may use what others leave of their runtimes */
#define FLAG_OVERRUN 0x04u /* a signal is sent when the runtime is used up */

/*
 * Overruns of these tasks, which the nucleus reports by a semaphore. A thread of this library makes
 * signals of them. As in Linux, the signals are sent to the program, so any thread that does not
 * block them may take them while the task is throttled. Source: sched_setattr(2),
 * SCHED_FLAG_DL_OVERRUN.
 */
static void *tell(void *unused);

static struct posix_helper overruns = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .most = TACT_SEM_VALUE_MAX, .entry = tell};

static void *tell(void *unused)
{
	(void)unused;
	while (!tact_sem_wait(overruns.sem, TACT_FOREVER))
		posix_real.syscall(SYS_kill, (long)getpid(), (long)SIGXCPU, 0L, 0L, 0L, 0L);
	return NULL;
}

static uint64_t read_setting(const char *path)
{
	FILE *file = fopen(path, "rce"); /* no cancellation point */
	long long value = -1;

	if (!file)
		return 0;
	if (fscanf(file, "%lld", &value) != 1 || value < 0)
		value = 0;
	fclose(file);
	return (uint64_t)value;
}

/* The load that a CPU may have: Linux's own limit, or the whole CPU if there is none. */
static uint32_t limit(void)
{
	uint64_t runtime_us = read_setting("/proc/sys/kernel/sched_rt_runtime_us");
	uint64_t period_us = read_setting("/proc/sys/kernel/sched_rt_period_us");

	if (!period_us)
		return LIMIT_USUAL;
	return runtime_us && runtime_us < period_us
		       ? (uint32_t)(runtime_us * POSIX_EDF_ONE / period_us)
		       : POSIX_EDF_ONE;
}

/* Rounded up. Parameters that Linux itself refuses count as 0. */
static uint32_t load_of(const struct posix_attributes *attributes)
{
	uint64_t period_ns = posix_edf_period_ns(attributes);
	unsigned __int128 scaled = (unsigned __int128)attributes->runtime_ns * POSIX_EDF_ONE;

	if (!period_ns || attributes->runtime_ns > period_ns)
		return 0;
	return (uint32_t)((scaled + period_ns - 1) / period_ns);
}

/* Is the load, together with all of this program, more than all CPUs may have? */
static bool is_too_much(uint32_t load, uint32_t most)
{
	const uint64_t sum = posix_edf_sum() + load - posix_me.edf.load;

	return sum > (uint64_t)most * posix_affinity_cpus();
}

/* Can overruns be reported, if the caller requests that? */
static bool can_be_told(const struct posix_attributes *attributes)
{
	posix_me.edf.overrun_sem =
		attributes->flags & FLAG_OVERRUN ? posix_helper(&overruns) : (tact_sem_t){0};
	return posix_me.edf.overrun_sem.id || !(attributes->flags & FLAG_OVERRUN);
}

/* Before the start the limits are unknown, and attachment finds out. */
static bool is_kept(const struct posix_attributes *attributes)
{
	struct tact_sched_limits limits = {0};

	return tact_sched_limits(&limits) ||
	       (attributes->runtime_ns >= limits.slice_min_ns &&
		posix_edf_period_ns(attributes) >= limits.period_min_ns);
}

/*
 * The caller has this policy in Linux. Make it a task instead, if possible. Before that it gets a
 * policy with which Linux can set its affinity, and which the start of the real-time half can
 * change and restore.
 */
static bool become_task(const struct posix_attributes *attributes, uint32_t load, uint32_t most)
{
	const struct sched_param lowest = {.sched_priority = 1};
	int policy = SCHED_DEADLINE;

	if (attributes->flags & FLAG_RECLAIM || posix_given_up() || !is_kept(attributes) ||
	    !posix_edf_take(posix_affinity_cpu(), load, most))
		return false;
	posix_real.sched_setscheduler(0, SCHED_FIFO, &lowest);
	if (posix_start() && can_be_told(attributes)) {
		if (attributes->flags & POSIX_FLAG_RESET_ON_FORK)
			policy |= SCHED_RESET_ON_FORK;
		posix_me.edf.attributes = *attributes;
		posix_thread_set_policy(&posix_me, policy, 0);
	}
	if (posix_thread_is_task(&posix_me))
		return true;
	posix_edf_leave(&posix_me);
	posix_edf_run_anywhere();
	(void)posix_edf_to_linux(attributes);
	return false;
}

static long refuse(int error, bool was_task)
{
	if (was_task)
		posix_thread_resume();
	else if (posix_started() && !posix_me.affinity.confined)
		posix_affinity_leave_cpus();
	return posix_fail(error);
}

long posix_edf_set(const struct posix_attributes *attributes)
{
	const bool was_task = posix_thread_is_task(&posix_me);
	const uint32_t load = load_of(attributes), most = limit();
	const int former = errno;

	if (posix_started() && is_too_much(load, most))
		return posix_fail(EBUSY);
	if (was_task)
		posix_thread_pause();
	posix_edf_leave(&posix_me);
	posix_edf_run_anywhere();
	if (posix_edf_to_linux(attributes))
		return refuse(errno, was_task);
	if (!become_task(attributes, load, most)) {
		/* Its policy is the one in Linux, which is asked for it. */
		posix_me.policy = SCHED_OTHER;
		posix_me.priority = 0;
		(void)posix_edf_take(POSIX_EDF_IN_LINUX, load, UINT32_MAX - POSIX_EDF_ONE);
	}
	errno = former;
	return 0;
}
