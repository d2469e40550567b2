/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fault reports: what stopped a task, where, and how it came there; and reports of mode switches.
 */
#ifndef NUC_FAULT_H
#define NUC_FAULT_H

#include "core/task.h"

/* Report, then end the task or the program, as configured. Does not return when the task is the
 * running one. Context: the task's CPU, stalled. */
int nuc_fault_stop(struct nuc_cpu *cpu, struct nuc_task *task, const struct hal_fault *fault);

/* Report, or end the program, and have its CPU count the fault and end the task, once it comes back
 * there from secondary mode. how: what the report says after "stopped". Context: any. */
void nuc_fault_doom(struct nuc_task *task, const char *how, const struct hal_fault *fault);

/* One more fault, in the figures and the trace. cause: enum hal_fault_cause. Context: the task's
 * CPU, stalled. */
void nuc_fault_count(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t cause);

/* Where the running task is, as seen from a message to its CPU: ip, sp and fp. Context: stalled, on
 * the task's stack. */
void nuc_fault_place(const struct nuc_task *task, struct hal_fault *fault);

/* One line and a backtrace for a task that is sent to secondary mode. Context: its CPU, stalled. */
void nuc_fault_report_away(const struct nuc_task *task, const struct hal_fault *fault);
/* The same for one that went there. Context: its shadow. */
void nuc_fault_report_relax(const struct nuc_task *task, long number, uintptr_t ip);

extern bool nuc_fault_stops_program;
extern bool nuc_fault_to_program; /* where it has a handler */

#endif
