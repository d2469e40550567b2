/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The suite on the thread back end. */
#define _GNU_SOURCE
#include "suite.h"

#include <sched.h>

#include "thread_cases.h"

const struct suite_case *const back_end_cases[] = {
	cases_thread_attach,
	cases_thread_event,
	cases_thread_shadow,
	cases_thread_signal,
	cases_thread_process,
	cases_thread_fork,
	cases_thread_restore,
	cases_thread_start,
	cases_thread_gravity,
	cases_thread_lease,
	cases_thread_rights,
	cases_thread_policy,
	cases_thread_state,
	cases_thread_setxid,
	cases_thread_keys,
	cases_thread_many,
	NULL,
};

unsigned back_end_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

uint32_t thread_cpu(unsigned index)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && !index--)
			return cpu;
	return HAL_ANY_CPU;
}
