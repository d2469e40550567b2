/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reasons not to run come and go. */
#ifndef NUC_READY_H
#define NUC_READY_H

#include "task/task.h"

/* A reason not to run is gone or there: queue or unqueue the task. Context: its CPU. */
void nuc_task_block(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason);
void nuc_task_unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason);

/* Upcall, when a wait has ended: the task is to end, or a signal waits for its shadow. */
void nuc_task_interrupted(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
