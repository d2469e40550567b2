/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a task wants is found before its code continues: see wants.h. */
#include "task/wants.h"

void nuc_task_mark(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (cpu->current != task || !nuc_task_wants_now(task))
		return;
	if (!task->not_before_ns)
		task->not_before_ns = NUC_WANTS_NOW;
	/* So that the section does not end before the task is attended. */
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
}
