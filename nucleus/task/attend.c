/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task does what it wants: at the switch to it, and as the last step before its code. */
#include "task/end.h"
#include "task/restart.h"
#include "task/routine.h"
#include "task/safe.h"

void nuc_task_switched_to(struct nuc_task *task, bool interrupted)
{
	if (task->wants & NUC_WANTS_SWITCH && !interrupted)
		nuc_routine_at_switch(task);
	if (nuc_task_wants_now(task) && !task->not_before_ns)
		task->not_before_ns = NUC_WANTS_NOW;
}

struct nuc_cpu *nuc_task_attend(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (task->wants & (NUC_WANTS_END | NUC_WANTS_RESTART) && !nuc_task_is_safe(task)) {
		/* The CPU switches away from it, for good or until it begins anew. */
		if (task->wants & NUC_WANTS_END)
			nuc_task_end(cpu, task, false);
		else
			nuc_task_restart(cpu, task);
		return cpu;
	}
	/* A task with locked handlers calls its routine after the last lock. */
	if (task->wants & NUC_WANTS_ROUTINE && !task->handler_locks)
		return nuc_routine_run(task);
	return cpu;
}
