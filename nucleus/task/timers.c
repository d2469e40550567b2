/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Room for the timers of tasks: see timers.h. */
#include "task/timers.h"

int nuc_task_timers_reserve(struct nuc_cpu *cpu, unsigned of_class)
{
	int error = nuc_timer_reserve(cpu);

	if (error)
		return error;
	error = nuc_timer_reserve_monotonic(cpu, of_class);
	if (error)
		nuc_timer_unreserve(cpu);
	return error;
}

void nuc_task_timers_unreserve(struct nuc_cpu *cpu, unsigned of_class)
{
	nuc_timer_unreserve(cpu);
	nuc_timer_unreserve_monotonic(cpu, of_class);
}
