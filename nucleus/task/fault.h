/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fault reports: what stopped a task, where, and how it came there; and reports of mode switches.
 */
#ifndef NUC_FAULT_H
#define NUC_FAULT_H

#include "task/task.h"

/* Report, then end the task or the program, as configured. Does not return when the task is the
 * running one. Context: the task's CPU, stalled. */
int nuc_fault_stop(struct nuc_cpu *cpu, struct nuc_task *task, const struct hal_fault *fault);

/* Report, or end the program, and have its CPU count the fault and end the task, once it comes back
 * there from secondary mode. how: what the report says after "stopped". Context: any. */
void nuc_fault_doom(struct nuc_task *task, const char *how, const struct hal_fault *fault);

extern bool nuc_fault_to_program; /* where it has a handler */

#endif
