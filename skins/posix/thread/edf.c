/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread with SCHED_DEADLINE: its parameters as a task, the load with which it is counted, and
 * its policy in Linux. Source: sched_setattr(2), sched(7); L. Abeni, G. Buttazzo, "Integrating
 * multimedia applications in hard real-time systems", RTSS 1998.
 */
#define _GNU_SOURCE
#include "posix/thread/edf.h"

#include <stdatomic.h>
#include <sys/syscall.h>

#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/thread/affinity.h"

static _Atomic uint32_t loads[TACT_CPU_MAX + 1]; /* of each real-time CPU, and of Linux */

long posix_edf_to_linux(const struct posix_attributes *attributes)
{
	return posix_real.syscall(SYS_sched_setattr, 0L, attributes, 0L, 0L, 0L, 0L);
}

uint64_t posix_edf_period_ns(const struct posix_attributes *attributes)
{
	return attributes->period_ns ? attributes->period_ns : attributes->deadline_ns;
}

uint64_t posix_edf_sum(void)
{
	uint64_t sum = 0;

	for (uint32_t cpu = 0; cpu <= POSIX_EDF_IN_LINUX; cpu++)
		sum += atomic_load(&loads[cpu]);
	return sum;
}

bool posix_edf_take(uint32_t cpu, uint32_t load, uint32_t most)
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
		.replenish_ns = posix_edf_period_ns(&thread->edf.attributes),
		.overrun_sem = thread->edf.overrun_sem,
	};
}

void posix_edf_run_anywhere(void)
{
	if (posix_started())
		posix_affinity_restore();
}

void posix_policy_to_linux(void)
{
	const struct sched_param parameter = {.sched_priority = posix_me.priority};

	if ((posix_me.policy & ~SCHED_RESET_ON_FORK) != SCHED_DEADLINE) {
		posix_real.sched_setscheduler(0, posix_me.policy, &parameter);
		return;
	}
	posix_edf_run_anywhere();
	(void)posix_edf_to_linux(&posix_me.edf.attributes);
}
