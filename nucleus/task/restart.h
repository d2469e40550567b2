/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Restart of tasks. */
#ifndef NUC_RESTART_H
#define NUC_RESTART_H

#include "task/task.h"

/* Restart the task, whether it is safe or not. Returns; if it is the current task, the CPU switches
 * away from it at the end of the section. Context: its CPU, stalled. */
void nuc_task_restart(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
