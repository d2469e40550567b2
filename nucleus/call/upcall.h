/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Upcalls: functions that this folder calls and that nucleus/task defines.
 */
#ifndef NUC_CALL_UPCALL_H
#define NUC_CALL_UPCALL_H

struct nuc_call;
struct nuc_cpu;
struct nuc_task;
struct nuc_waitq;

/* The current task waits in the call, which is queued or was sent. Ends the section, and returns
 * the result. */
int nuc_task_wait(struct nuc_cpu *cpu, struct nuc_call *call);
/* The same for a call that is not queued yet and has no timeout: it waits in this queue of an
 * object of this CPU. */
int nuc_task_wait_forever(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);
/* The result of the call in which a task waits has arrived. Context: its CPU. */
void nuc_task_wait_done(struct nuc_cpu *cpu, struct nuc_task *task);

/* Called unstalled on the shadow; returns in primary mode. */
int nuc_task_harden(struct nuc_task *task);

/* The calling task leaves a call, and its class is weak. Context: the task, not stalled. */
void nuc_task_go_back(struct nuc_task *task);

/* The batches (call/batch.h), or the ended tasks that still own something, have changed: give the
 * server the priority of the most urgent work among them, which it does first. Context: stalled. */
void nuc_server_reprioritize(struct nuc_cpu *cpu);

#endif
