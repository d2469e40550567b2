/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task whose wait has ended does not continue on its CPU: it ends, or its shadow handles a
 * signal. */
#include "task/end.h"
#include "task/mode.h"
#include "task/ready.h"

void nuc_task_interrupted(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (task->doomed)
		nuc_task_go_on_ending(cpu, task);
	else
		nuc_task_serve_signal(cpu, task);
}
