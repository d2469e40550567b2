/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much earlier than others an idle CPU is woken. A release fires NUC_PATH_NS before its
 * instant: that is what the path from the expiry of its timer to the hold (task/dispatch.h) takes
 * where caches are warm, and the hold spins away what is left of it. On a machine that is shared,
 * an idle CPU finds little of that path in its caches, and several releases at one instant make the
 * path longer. A hold that is reached too late makes every release late by as much. So the path is
 * measured after each idle time, and the CPU is woken earlier by as much as all but a twentieth of
 * the paths take. A CPU that runs tasks is not: what is spun there is taken from the tasks.
 *
 * Context of everything here: the CPU, stalled.
 */
#ifndef NUC_IDLE_LEAD_H
#define NUC_IDLE_LEAD_H

#include "kernel/cpu.h"

#define NUC_PATH_NS 2000u

/* The most that is added: for so long an event may find the CPU in a hold. */
#define NUC_IDLE_LEAD_MOST_NS 6000u

/* hal_idle() has returned. */
static inline void nuc_idle_lead_begin(struct nuc_cpu *cpu)
{
	cpu->idle_end_ticks = hal_ticks();
}

/* Out of line: learns from the path that ends here. */
void nuc_idle_lead_learn(struct nuc_cpu *cpu);

/* A hold is reached, with all of its spinning before it. */
static inline void nuc_idle_lead_end(struct nuc_cpu *cpu)
{
	if (cpu->idle_end_ticks)
		nuc_idle_lead_learn(cpu);
}

#endif
