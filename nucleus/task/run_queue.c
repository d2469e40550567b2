/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The run queue. The running task stays in it. The task to run is the first one of the highest
 * level that is not empty, and is found in constant time, whatever the classes of the tasks.
 */
#include "task/run_queue.h"

void nuc_edf_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	struct base_tree *deadlines = &cpu->run_queue.level[task->priority].deadlines;
	struct base_tree_node *node = &task->run_node;

	(void)(front ? base_tree_insert_front(deadlines, node, node->key)
		     : base_tree_insert(deadlines, node, node->key));
}

void nuc_edf_remove(struct nuc_cpu *cpu, struct nuc_task *task)
{
	base_tree_remove(&cpu->run_queue.level[task->priority].deadlines, &task->run_node);
}

/* An owner of any class has the place that the most urgent of its waiters would have. */
void nuc_enqueue_other(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	if (nuc_task_lent_deadline(task))
		nuc_edf_insert(cpu, task, front);
	else if (task->boosted || !task->sched->insert)
		nuc_level_insert(&cpu->run_queue.level[task->priority].list, task, front);
	else
		task->sched->insert(cpu, task, front);
}

void nuc_dequeue_other(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (nuc_task_lent_deadline(task))
		nuc_edf_remove(cpu, task);
	else if (task->boosted || !task->sched->remove)
		base_list_unlink(&task->run_link);
	else
		task->sched->remove(cpu, task);
}

void nuc_sched_rotate(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_dequeue(cpu, task);
	nuc_enqueue(cpu, task, false);
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
}

uint16_t nuc_sched_level(const struct nuc_task *task)
{
	return task->sched->level ? task->sched->level(task) : task->base_priority;
}
