/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Callers that wait for the end of a safe task that they have ordered to end: one queue for each
 * CPU, for all tasks whose handles have their home there. Context of everything here: that CPU,
 * stalled.
 */
#ifndef NUC_DELETERS_H
#define NUC_DELETERS_H

#include "task/task.h"

void nuc_deleters_init(struct nuc_cpu *cpu);

/* Wait for the end of the task. Returns as nuc_wait(). */
int nuc_deleters_wait(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_task *task);

/* The task has ended. Cost: O(calls that wait). */
void nuc_deleters_tell(struct nuc_cpu *cpu, const struct nuc_task *task);

/* The program stops: end all waits. */
void nuc_deleters_end(struct nuc_cpu *cpu);

#endif
