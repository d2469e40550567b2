/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The run queue of one CPU. Context of everything here: that CPU, stalled. */
#ifndef NUC_RUN_QUEUE_H
#define NUC_RUN_QUEUE_H

#include "task/task.h"

/* Queue a task whose state says that it can run. front: before its equals. */
void nuc_sched_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
void nuc_sched_remove(struct nuc_cpu *cpu, struct nuc_task *task);

/* Is it in a run queue? */
static inline bool nuc_sched_queued(const struct nuc_task *task)
{
	return task->state == TACT_TASK_STATE_READY;
}

/* Into one of the lists of a level: before or behind those that are in it. */
static inline void nuc_level_insert(struct base_list *list, struct nuc_task *task, bool front)
{
	if (front)
		base_list_push_front(&task->run_link, list);
	else
		base_list_push_back(&task->run_link, list);
}

/* Move the running or ready task behind its equals. */
void nuc_sched_rotate(struct nuc_cpu *cpu, struct nuc_task *task);

/* The level that its class gives the task, boosts aside. */
uint16_t nuc_sched_level(const struct nuc_task *task);

/* By deadline, in the tree of the level of task->priority: for classes that order their tasks so,
 * and for owners of any class that inherit. */
void nuc_edf_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
void nuc_edf_remove(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
