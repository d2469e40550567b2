/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The run queue of one CPU. Context of everything here: that CPU, stalled. */
#ifndef NUC_RUN_QUEUE_H
#define NUC_RUN_QUEUE_H

#include "kernel/trace.h"
#include "task/task.h"

/* Is the task in a run queue? */
static inline bool nuc_sched_queued(const struct nuc_task *task)
{
	return task->state == TACT_TASK_STATE_READY;
}

/* Insert into a list of a level, at its front or its end. */
static inline void nuc_level_insert(struct base_list *list, struct nuc_task *task, bool front)
{
	if (front)
		base_list_push_front(&task->run_link, list);
	else
		base_list_push_back(&task->run_link, list);
}

/* Move the running or ready task behind its equals. */
void nuc_sched_rotate(struct nuc_cpu *cpu, struct nuc_task *task);

/* The level that its class gives the task, without boosts. */
uint16_t nuc_sched_level(const struct nuc_task *task);

/* Queue by deadline, in the tree of the level of task->priority: for classes that order their tasks
 * so, and for owners of any class that inherit a deadline. */
void nuc_edf_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
void nuc_edf_remove(struct nuc_cpu *cpu, struct nuc_task *task);

/* For a task that is boosted or whose class is not FIFO. */
void nuc_enqueue_other(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
void nuc_dequeue_other(struct nuc_cpu *cpu, struct nuc_task *task);

/* Most tasks are of the class FIFO, which has no operation (sched/classes.c): one test of the class
 * replaces a test of each operation. */
static inline bool nuc_task_plain(const struct nuc_task *task)
{
	return __builtin_expect(task->sched == &nuc_class_fifo, 1);
}

static inline void nuc_enqueue(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	if (__builtin_expect(nuc_task_plain(task) && !task->boosted, 1))
		nuc_level_insert(&cpu->run_queue.level[task->priority].list, task, front);
	else
		nuc_enqueue_other(cpu, task, front);
}

static inline void nuc_dequeue(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (__builtin_expect(nuc_task_plain(task) && !task->boosted, 1))
		base_list_unlink(&task->run_link);
	else
		nuc_dequeue_other(cpu, task);
}

/*
 * Could the dispatcher choose the task that is about to be queued instead of the running one? A
 * task of a lower level, or one that goes to the end of the running task's own level, cannot be
 * chosen while the running one stays ready.
 */
static inline bool nuc_may_run_next(const struct nuc_cpu *cpu, const struct nuc_task *task,
				    bool front)
{
	const struct nuc_task *current = cpu->current;

	if (!current || !nuc_sched_queued(current) || task->priority > current->priority)
		return true;
	return task->priority == current->priority &&
	       (front || nuc_task_lent_deadline(task) || task->sched->urgent);
}

/* Queue a task whose state says that it can run. front: before its equals. Inline, as the next:
 * each wait and each wake-up passes here. */
static inline void nuc_sched_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	if (nuc_may_run_next(cpu, task, front))
		cpu->dirty |= NUC_DIRTY_SCHEDULE;
	nuc_enqueue(cpu, task, front);
	base_bitmap_set(&cpu->run_queue.ready, task->priority);
	nuc_trace(cpu, TACT_TRACE_READY, task->object.handle, task->priority);
}

static inline void nuc_sched_remove(struct nuc_cpu *cpu, struct nuc_task *task)
{
	const unsigned priority = task->priority;
	struct nuc_level *level = &cpu->run_queue.level[priority];

	nuc_dequeue(cpu, task);
	if (base_list_empty(&level->list) && base_tree_empty(&level->deadlines))
		base_bitmap_clear(&cpu->run_queue.ready, priority);
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
}

#endif
