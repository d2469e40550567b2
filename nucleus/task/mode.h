/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Primary and secondary mode. */
#ifndef NUC_MODE_H
#define NUC_MODE_H

#include "call/upcall.h"
#include "task/task.h"

/* To its shadow, by this Linux call, or -1. Called stalled, on its CPU; returns on the shadow. */
void nuc_task_relax(struct nuc_cpu *cpu, struct nuc_task *task, long number, uintptr_t ip);

/* Its context is saved: its shadow goes on with it. Context: its CPU, stalled. */
void nuc_task_run_on_shadow(struct nuc_cpu *cpu, struct nuc_task *task);

/* Bring a full task to secondary mode, where it may ask Linux for things; 0 for plain Linux
 * threads, -TACT_EPERM for those that may not. Context: any, not stalled. */
int nuc_go_linux(void);

/* The caller's real-time CPU, 0 for Linux threads. */
uint32_t nuc_caller_cpu(void);

/* Push the task out to its shadow, which has a signal to handle. Context: its CPU, stalled. */
void nuc_task_serve_signal(struct nuc_cpu *cpu, struct nuc_task *task);

/* May it, in the middle of whatever it does? */
bool nuc_task_may_leave(const struct nuc_task *task);

/* Push it out with word why (enum tact_switch_cause), 0: none. Context: its CPU, stalled. */
void nuc_task_demote(struct nuc_cpu *cpu, struct nuc_task *task, int cause);

#endif
