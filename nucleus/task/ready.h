/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The reasons for which a task does not run. */
#ifndef NUC_READY_H
#define NUC_READY_H

#include "task/task.h"

/* Block: a reason not to run has come, and the task is unqueued. Unblock: the reason has gone, and
 * the task is queued if no other is left. Context: its CPU. */
void nuc_task_block(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason);
void nuc_task_unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason);

/* Upcall, when a wait has ended: the task has to end, or has to go to its shadow for a signal. */
void nuc_task_interrupted(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
