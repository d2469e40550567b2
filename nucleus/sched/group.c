/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups: tasks that a class throttles and lets run together. Closing and opening a group leaves
 * the order of its tasks in their levels as it was.
 */
#include "sched/group.h"

#include "task/priority.h"
#include "task/run_queue.h"

void nuc_group_init(struct nuc_group *group, bool closed)
{
	base_list_init(&group->tasks);
	group->count = 0;
	group->closed = closed;
}

void nuc_group_join(struct nuc_task *task, struct nuc_group *group)
{
	task->class_data.member.group = group;
	base_list_push_back(&task->class_data.member.link, &group->tasks);
	group->count++;
	task->throttled = group->closed;
}

void nuc_group_leave(struct nuc_task *task)
{
	task->class_data.member.group->count--;
	base_list_unlink(&task->class_data.member.link);
	/* The last run of the task may be charged after this. */
	task->class_data.member.group = NULL;
}

void nuc_group_close(struct nuc_cpu *cpu, struct nuc_group *group, bool closed)
{
	struct base_list left;
	struct base_list *link;

	if (group->closed == closed)
		return;
	group->closed = closed;
	base_list_init(&left);
	while ((link = base_list_pop_front(&group->tasks)))
		base_list_push_back(link, &left);
	/* From a separate list, so that each task is reached once, although queueing moves tasks
	 * within the list of the group. */
	while ((link = base_list_pop_front(&left))) {
		base_list_push_back(link, &group->tasks);
		nuc_task_throttle(cpu,
				  base_container_of(link, struct nuc_task, class_data.member.link),
				  closed);
	}
}

void nuc_group_hold(struct nuc_task *task)
{
	base_list_unlink(&task->class_data.member.link);
	base_list_push_back(&task->class_data.member.link, &task->class_data.member.group->tasks);
}

void nuc_group_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	struct base_list *link = &task->class_data.member.link;
	struct base_list *tasks = &task->class_data.member.group->tasks;

	/* A task that nuc_group_close() has not reached yet stays in its list. */
	if (task->throttled == task->class_data.member.group->closed) {
		base_list_unlink(link);
		if (front)
			base_list_push_front(link, tasks);
		else
			base_list_push_back(link, tasks);
	}
	nuc_level_insert(&cpu->run_queue.level[task->priority].list, task, front);
}
