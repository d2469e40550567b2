/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What makes a task as urgent as it is, and who is told. */
#ifndef NUC_PRIORITY_H
#define NUC_PRIORITY_H

#include "task/task.h"

/* Linux priority of a shadow for the task's effective priority; for this one, in that class. */
uint32_t nuc_task_linux_priority(const struct nuc_task *task);
uint32_t nuc_linux_priority(uint32_t priority, const struct tact_sched_param *sched);

/* Linux priority that the CPU is to have while its current task runs. */
uint32_t nuc_cpu_linux_priority(const struct nuc_cpu *cpu);

/*
 * Make the effective priority what base, class and holds demand. A throttled task that others wait
 * for runs, at the priority that they demand. Context: its CPU.
 */
void nuc_task_update_priority(struct nuc_cpu *cpu, struct nuc_task *task);

/* The task's class lets it run no more, or again. Context: its CPU. */
void nuc_task_throttle(struct nuc_cpu *cpu, struct nuc_task *task, bool on);

/* The same for one that is about to be queued: its class's ready(). */
void nuc_task_hold_back(struct nuc_task *task);

/* Tell those who go by its priority where it is now: what it waits for, the timers, its shadow. Its
 * wait may end in that, so it is either queued already or waits. Context: its CPU. */
void nuc_task_spread_priority(struct nuc_cpu *cpu, struct nuc_task *task);

/* Give the task, which is in no queue, to a class; the parameters have been checked. It is told to
 * nobody yet. Context: its CPU. */
void nuc_task_join_class(struct nuc_cpu *cpu, struct nuc_task *task,
			 const struct tact_sched_param *param);

/* Of a task that is in no queue: its place now. Context: its CPU. */
void nuc_task_find_place(struct nuc_task *task);

#endif
