/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The effective priority of a task, and what follows it. */
#ifndef NUC_PRIORITY_H
#define NUC_PRIORITY_H

#include "task/task.h"

/* The Linux priority of a shadow: for the effective priority of the task, or for this priority in
 * this class. */
uint32_t nuc_task_linux_priority(const struct nuc_task *task);
uint32_t nuc_linux_priority(uint32_t priority, const struct tact_sched_param *sched);

/* The Linux priority that the CPU has to have while its current task runs. */
uint32_t nuc_cpu_linux_priority(const struct nuc_cpu *cpu);

/*
 * Compute the effective priority anew, from the base priority, the class and the owned locks. A
 * throttled task that owns a lock with a demand runs, at the priority that is demanded. Context:
 * its CPU.
 */
void nuc_task_update_priority(struct nuc_cpu *cpu, struct nuc_task *task);

/* Throttle a task for its class (on), or let it run again. Context: its CPU. */
void nuc_task_throttle(struct nuc_cpu *cpu, struct nuc_task *task, bool on);

/* Throttle a task that is about to be queued; for ready() of its class. */
void nuc_task_hold_back(struct nuc_task *task);

/* Pass the present priority of a task on to what depends on it: the call that it waits in, the
 * timers, its shadow. The wait of the task may end by that, so the task is either queued already or
 * waits. Context: its CPU. */
void nuc_task_spread_priority(struct nuc_cpu *cpu, struct nuc_task *task);

/* Give the task, which is in no run queue, to a class; the parameters have been checked.
 * nuc_task_spread_priority() is left to the caller. Context: its CPU. */
void nuc_task_join_class(struct nuc_cpu *cpu, struct nuc_task *task,
			 const struct tact_sched_param *param);

/* Compute the place of a task that is in no run queue. Context: its CPU. */
void nuc_task_find_place(struct nuc_task *task);

#endif
