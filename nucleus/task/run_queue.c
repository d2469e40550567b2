/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The run queue. The running task stays in it; the right task is the first of the highest level
 * that has one, found in constant time, whatever classes the tasks belong to.
 */
#include "task/run_queue.h"

#include "kernel/trace.h"

void nuc_edf_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	struct base_tree *deadlines = &cpu->level[task->priority].deadlines;
	struct base_tree_node *node = &task->run_node;

	(void)(front ? base_tree_insert_front(deadlines, node, node->key)
		     : base_tree_insert(deadlines, node, node->key));
}

void nuc_edf_remove(struct nuc_cpu *cpu, struct nuc_task *task)
{
	base_tree_remove(&cpu->level[task->priority].deadlines, &task->run_node);
}

/* Whatever its class, an owner stands where the most urgent of its waiters would. */
static void enqueue(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	if (nuc_task_lent_deadline(task))
		nuc_edf_insert(cpu, task, front);
	else if (task->boosted || !task->sched->insert)
		nuc_level_insert(&cpu->level[task->priority].list, task, front);
	else
		task->sched->insert(cpu, task, front);
}

static void dequeue(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (nuc_task_lent_deadline(task))
		nuc_edf_remove(cpu, task);
	else if (task->boosted || !task->sched->remove)
		base_list_unlink(&task->run_link);
	else
		task->sched->remove(cpu, task);
}

/*
 * Could the dispatcher choose the task that is about to be queued instead of the running one? A
 * task of a lower level, or one that goes to the end of the running task's own level, cannot be
 * chosen while the running one stays ready.
 */
static bool may_run_next(const struct nuc_cpu *cpu, const struct nuc_task *task, bool front)
{
	const struct nuc_task *current = cpu->current;

	if (!current || !nuc_sched_queued(current) || task->priority > current->priority)
		return true;
	return task->priority == current->priority &&
	       (front || nuc_task_lent_deadline(task) || task->sched->urgent);
}

void nuc_sched_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	if (may_run_next(cpu, task, front))
		cpu->dirty |= NUC_DIRTY_SCHEDULE;
	enqueue(cpu, task, front);
	base_bitmap_set(&cpu->ready, task->priority);
	nuc_trace(cpu, TACT_TRACE_READY, task->object.handle, task->priority);
}

void nuc_sched_remove(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_level *level = &cpu->level[task->priority];

	dequeue(cpu, task);
	if (base_list_empty(&level->list) && base_tree_empty(&level->deadlines))
		base_bitmap_clear(&cpu->ready, task->priority);
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
}

void nuc_sched_rotate(struct nuc_cpu *cpu, struct nuc_task *task)
{
	dequeue(cpu, task);
	enqueue(cpu, task, false);
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
}

uint16_t nuc_sched_level(const struct nuc_task *task)
{
	return task->sched->level ? task->sched->level(task) : task->base_priority;
}
