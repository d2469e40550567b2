/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much earlier an idle CPU is woken than a CPU that runs a task. A release fires NUC_PATH_NS
 * before its instant. With warm caches the path from the expiry of the timer to the hold
 * (task/dispatch.h) takes that long, and the hold spins until the instant. On a shared machine an
 * idle CPU finds little of that path in its caches, and several releases at one instant make the
 * path longer. A hold that is reached too late makes the release late. The path is therefore
 * measured after each idle time, and the CPU is woken so much earlier that all except a twentieth
 * of the paths are in time. A CPU that runs tasks is not woken earlier: the time that it spins is
 * taken from the tasks.
 *
 * Context of everything here: the CPU, stalled.
 */
#ifndef NUC_IDLE_LEAD_H
#define NUC_IDLE_LEAD_H

#include "kernel/cpu.h"

#define NUC_PATH_NS 2000u

/* The most that is added. An event may find the CPU in a hold for as long as that. */
#define NUC_IDLE_LEAD_MOST_NS 6000u

/* hal_idle() has returned. */
static inline void nuc_idle_lead_begin(struct nuc_cpu *cpu)
{
	cpu->idle_lead.end_ticks = hal_ticks();
}

/* Out of line: learn from the path that ends here. */
void nuc_idle_lead_learn(struct nuc_cpu *cpu);

/* A hold is reached, and has not yet begun to spin. */
static inline void nuc_idle_lead_end(struct nuc_cpu *cpu)
{
	if (cpu->idle_lead.end_ticks)
		nuc_idle_lead_learn(cpu);
}

#endif
