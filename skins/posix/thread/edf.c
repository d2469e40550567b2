/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SCHED_DEADLINE. Linux judges the parameters of a thread that asks for it and admits it, or not;
 * then the thread becomes a task of the class CBS at the highest level, if its real-time CPU has
 * room for it, and else stays Linux's. Linux does not count what has become a task, so that is
 * counted here, against the same limit. Source: sched_setattr(2), sched(7); L. Abeni, G. Buttazzo,
 * "Integrating multimedia applications in hard real-time systems", RTSS 1998.
 */
#define _GNU_SOURCE
#include "posix/thread/edf.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "posix/thread/affinity.h"
#include "posix/libc/real.h"
#include "posix/thread/thread.h"

#define ONE          (1u << 20) /* all of a CPU */
#define LIMIT_USUAL  (ONE / 100 * 95)
#define FLAG_RECLAIM 0x02u /* what others leave of their runtimes is its own */
#define FLAG_OVERRUN 0x04u /* a signal is sent when the runtime is used up */

#define IN_LINUX TACT_CPU_MAX

static _Atomic uint32_t loads[TACT_CPU_MAX + 1]; /* of each real-time CPU, and what Linux has */

static long in_linux(const struct posix_attributes *attributes)
{
	return posix_real.syscall(SYS_sched_setattr, 0L, attributes, 0L, 0L, 0L, 0L);
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

/* What of a CPU may be promised; Linux's own limit, and all of it where that has none. */
static uint32_t limit(void)
{
	uint64_t runtime_us = read_setting("/proc/sys/kernel/sched_rt_runtime_us");
	uint64_t period_us = read_setting("/proc/sys/kernel/sched_rt_period_us");

	if (!period_us)
		return LIMIT_USUAL;
	return runtime_us && runtime_us < period_us ? (uint32_t)(runtime_us * ONE / period_us)
						    : ONE;
}

static uint64_t period_of(const struct posix_attributes *attributes)
{
	return attributes->period_ns ? attributes->period_ns : attributes->deadline_ns;
}

/* Rounded up; what Linux refuses by itself counts nothing. */
static uint32_t load_of(const struct posix_attributes *attributes)
{
	uint64_t period_ns = period_of(attributes);
	unsigned __int128 scaled = (unsigned __int128)attributes->runtime_ns * ONE;

	if (!period_ns || attributes->runtime_ns > period_ns)
		return 0;
	return (uint32_t)((scaled + period_ns - 1) / period_ns);
}

/* Together with all of this program, it is more than all CPUs may promise. */
static bool is_too_much(uint32_t load, uint32_t most)
{
	uint64_t sum = load;

	for (uint32_t cpu = 0; cpu <= IN_LINUX; cpu++)
		sum += atomic_load(&loads[cpu]);
	return sum - posix_me.edf.load > (uint64_t)most * posix_affinity_cpus();
}

static bool take(uint32_t cpu, uint32_t load, uint32_t most)
{
	uint32_t now = atomic_load(&loads[cpu]);

	do {
		if (now + load > most)
			return false;
	} while (!atomic_compare_exchange_weak(&loads[cpu], &now, now + load));
	posix_me.edf.cpu = cpu;
	posix_me.edf.load = load;
	return true;
}

void posix_edf_leave(struct posix_thread *thread)
{
	if (!thread->edf.load)
		return;
	atomic_fetch_sub(&loads[thread->edf.cpu], thread->edf.load);
	thread->edf.load = 0;
}

struct tact_sched_param posix_edf_sched(const struct posix_thread *thread)
{
	return (struct tact_sched_param){
		.sched_class = TACT_SCHED_CBS,
		.budget_ns = thread->edf.attributes.runtime_ns,
		.deadline_ns = thread->edf.attributes.deadline_ns,
		.replenish_ns = period_of(&thread->edf.attributes),
		.overrun_sem = thread->edf.overrun_sem,
	};
}

/* Linux takes a thread for this policy only where it may run everywhere. */
static void run_anywhere(void)
{
	if (posix_started())
		posix_affinity_give_back();
}

void posix_policy_to_linux(void)
{
	const struct sched_param parameter = {.sched_priority = posix_me.priority};

	if ((posix_me.policy & ~SCHED_RESET_ON_FORK) != SCHED_DEADLINE) {
		posix_real.sched_setscheduler(0, posix_me.policy, &parameter);
		return;
	}
	run_anywhere();
	(void)in_linux(&posix_me.edf.attributes);
}

/* Of its overruns, if it wants that. */
static bool can_be_told(const struct posix_attributes *attributes)
{
	posix_me.edf.overrun_sem = attributes->flags & FLAG_OVERRUN ? posix_overruns() : 0;
	return posix_me.edf.overrun_sem || !(attributes->flags & FLAG_OVERRUN);
}

/* Before the start this is found out when it would become a task. */
static bool is_kept(const struct posix_attributes *attributes)
{
	struct tact_sched_limits limits;

	return tact_sched_limits(&limits) || (attributes->runtime_ns >= limits.slice_min_ns &&
					      period_of(attributes) >= limits.period_min_ns);
}

/*
 * It is Linux's, with this policy: may it be a task instead? Then it is one that Linux can confine,
 * and whose policy the start of the real-time half can change and restore.
 */
static bool become_task(const struct posix_attributes *attributes, uint32_t load, uint32_t most)
{
	const struct sched_param lowest = {.sched_priority = 1};
	int policy = SCHED_DEADLINE;

	if (attributes->flags & FLAG_RECLAIM || posix_given_up() || !is_kept(attributes) ||
	    !take(posix_affinity_cpu(), load, most))
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
	run_anywhere();
	(void)in_linux(attributes);
	return false;
}

static long refuse(int error, bool was_task)
{
	if (was_task)
		posix_thread_resume();
	else if (posix_started() && !posix_me.confined)
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
	run_anywhere();
	if (in_linux(attributes))
		return refuse(errno, was_task);
	if (!become_task(attributes, load, most)) {
		/* Its policy is what Linux says, which is asked for it. */
		posix_me.policy = SCHED_OTHER;
		posix_me.priority = 0;
		(void)take(IN_LINUX, load, UINT32_MAX - ONE);
	}
	errno = former;
	return 0;
}
