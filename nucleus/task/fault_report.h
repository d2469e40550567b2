/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports of faults and of mode switches: the texts, and the figures. */
#ifndef NUC_FAULT_REPORT_H
#define NUC_FAULT_REPORT_H

#include "task/task.h"

/* Report a task that is stopped; if faults end the program, end the program with that report. how:
 * what the report says after "stopped". Context: any. */
void nuc_fault_report_stop(const struct nuc_task *task, const char *how,
			   const struct hal_fault *fault);

/* Count a fault in the figures, and trace it. cause: enum hal_fault_cause. Context: the task's CPU,
 * stalled. */
void nuc_fault_count(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t cause);

/* Find where the running task was when a message to its CPU interrupted it: ip, sp and fp. Context:
 * stalled, on the task's stack. */
void nuc_fault_place(const struct nuc_task *task, struct hal_fault *fault);

/* One line and a backtrace for a task that is sent to secondary mode. Context: its CPU, stalled. */
void nuc_fault_report_demoted(const struct nuc_task *task, const struct hal_fault *fault);
/* The same for a task that went to secondary mode itself. Context: its shadow. */
void nuc_fault_report_relax(const struct nuc_task *task, long number, uintptr_t ip);

/* A fault of a task ends the program. */
extern bool nuc_fault_stops_program;

#endif
