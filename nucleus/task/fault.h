/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults of tasks: a fault is reported, and ends the task or the program.
 */
#ifndef NUC_FAULT_H
#define NUC_FAULT_H

#include "task/task.h"

/* Report, then end the task or the program, as configured. Returns -TACT_EPERM. Context: the task's
 * CPU, stalled. */
int nuc_fault_stop(struct nuc_cpu *cpu, struct nuc_task *task, const struct hal_fault *fault);

/* Report, or end the program, as configured. The CPU of the task counts the fault and ends the task
 * when the task comes back from secondary mode. how: what the report says after "stopped". Context:
 * any. */
void nuc_fault_doom(struct nuc_task *task, const char *how, const struct hal_fault *fault);

extern bool nuc_fault_to_program; /* a fault is given to the program, if it has a handler */

#endif
