/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports of faults and of mode switches: the texts, and the figures. */
#ifndef NUC_FAULT_REPORT_H
#define NUC_FAULT_REPORT_H

#include "task/task.h"

/* The report of a task that is stopped, or the end of the program with it, where a fault ends it.
 * how: what it says after "stopped". Context: any. */
void nuc_fault_report_stop(const struct nuc_task *task, const char *how,
			   const struct hal_fault *fault);

/* One more fault, in the figures and the trace. cause: enum hal_fault_cause. Context: the task's
 * CPU, stalled. */
void nuc_fault_count(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t cause);

/* Where the running task is, as seen from a message to its CPU: ip, sp and fp. Context: stalled, on
 * the task's stack. */
void nuc_fault_place(const struct nuc_task *task, struct hal_fault *fault);

/* One line and a backtrace for a task that is sent to secondary mode. Context: its CPU, stalled. */
void nuc_fault_report_demoted(const struct nuc_task *task, const struct hal_fault *fault);
/* The same for one that went there. Context: its shadow. */
void nuc_fault_report_relax(const struct nuc_task *task, long number, uintptr_t ip);

/* A fault ends the program. */
extern bool nuc_fault_stops_program;

#endif
