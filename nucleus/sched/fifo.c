/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FIFO: a task runs until it waits or a higher level has one. Preempted tasks keep their place,
 * tasks that become ready go to the end. Source: POSIX.1-2017, 2.8.4, SCHED_FIFO.
 */
#include "core/task.h"
#include "sched/class.h"

void nuc_class_insert_list(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	struct base_list *list = &cpu->level[task->priority].list;

	if (front)
		base_list_push_front(&task->run_link, list);
	else
		base_list_push_back(&task->run_link, list);
}

void nuc_class_remove_list(struct nuc_cpu *cpu, struct nuc_task *task)
{
	(void)cpu;
	base_list_unlink(&task->run_link);
}

const struct nuc_class nuc_class_fifo = {
	.name = "fifo",
	.insert = nuc_class_insert_list,
	.remove = nuc_class_remove_list,
};
