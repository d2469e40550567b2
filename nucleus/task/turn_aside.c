/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a task does after a wait instead of going on. */
#include "task/end.h"
#include "task/mode.h"
#include "task/ready.h"

void nuc_task_turn_aside(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (task->doomed)
		nuc_task_end(cpu, task, task->faulted);
	else
		nuc_task_serve_signal(cpu, task);
}
