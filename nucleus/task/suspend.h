/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a signal ends a suspension. */
#ifndef NUC_SUSPEND_H
#define NUC_SUSPEND_H

#include "task/task.h"

/* End the suspension of a task for a signal, however often it was suspended. Context: the task's
 * CPU. */
void nuc_task_break_suspension(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
