/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Take a slot of the status segment for the figures of a task, or give it back. Context: its CPU,
 * stalled. */
#ifndef NUC_STATUS_H
#define NUC_STATUS_H

#include "task/task.h"

void nuc_slot_take(struct nuc_cpu *cpu, struct nuc_task *task);
void nuc_slot_give(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
