/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Primary and secondary mode. */
#ifndef NUC_MODE_H
#define NUC_MODE_H

#include "call/upcall.h"
#include "task/task.h"

/* Send the running task to its shadow. number: the Linux call that it makes, or -1. Called stalled,
 * on its CPU; returns on the shadow. */
void nuc_task_relax(struct nuc_cpu *cpu, struct nuc_task *task, long number, uintptr_t ip);

/* The context of the task is saved: its shadow continues it. Context: its CPU, stalled. */
void nuc_task_run_on_shadow(struct nuc_cpu *cpu, struct nuc_task *task);

/* Make Linux calls possible for the caller: a full task goes to secondary mode. 0 also for a plain
 * Linux thread; -TACT_EPERM for a task or a handler that may make no Linux call. Context: any, not
 * stalled. */
int nuc_go_linux(void);

/* The calling task, in either mode; NULL: the caller is none, or its nucleus has stopped. Context:
 * any, not stalled. */
struct nuc_task *nuc_task_calling(void);

/*
 * Begin a section of the calling task, which comes to primary mode first, or of a handler. Returns
 * 0 or -TACT_EPERM: the caller is neither. Context: any, not stalled.
 */
int nuc_task_enter(struct nuc_cpu **cpu);
/* The end of such a section. */
void nuc_task_leave(struct nuc_cpu *cpu);

/* The caller's real-time CPU; 0 for a Linux thread that is not a task. */
uint32_t nuc_caller_cpu(void);

/* Send the task to its shadow, which has a signal to handle. Context: its CPU, stalled. */
void nuc_task_serve_signal(struct nuc_cpu *cpu, struct nuc_task *task);

/* May the task be sent to secondary mode at any point of what it does? */
bool nuc_task_may_leave(const struct nuc_task *task);

/* Send the task to its shadow. cause: the signal SIGXCPU tells it (enum tact_switch_cause); 0: no
 * signal. Context: its CPU, stalled. */
void nuc_task_demote(struct nuc_cpu *cpu, struct nuc_task *task, int cause);

#endif
