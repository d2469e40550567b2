/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a task does in its own context before its code continues: its routine. What is due is a bit
 * of nuc_task.wants. It is done at one place, nuc_sched_attend(), to which every path to the code
 * of a program comes if nuc_task.not_before_ns is not 0. Context of everything here: the task's
 * CPU, stalled.
 */
#ifndef NUC_WANTS_H
#define NUC_WANTS_H

#include "task/task.h"

/* Is anything due, whether it may be done now or not? */
static inline bool nuc_task_wants_now(const struct nuc_task *task)
{
	return (task->wants & ~(uint32_t)(NUC_WANTS_SWITCH | NUC_WANTS_HANDLER)) != 0;
}

/* Something may be due for the task. If it is the running one, it is attended before its code
 * continues. Otherwise this is found at the switch to it: nuc_task_switched_to(). */
void nuc_task_mark(struct nuc_cpu *cpu, struct nuc_task *task);

/* Upcall: the CPU switches to the task, which wants something. interrupted: only a handler ran
 * since. */
void nuc_task_switched_to(struct nuc_task *task, bool interrupted);

/* Upcall: do what the running task wants and may do now. Returns as nuc_sched_attend(). */
struct nuc_cpu *nuc_task_attend(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
