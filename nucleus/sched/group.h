/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of tasks, for quota groups and partitions. */
#ifndef NUC_GROUP_H
#define NUC_GROUP_H

#include "task/task.h"

/*
 * Tasks that are throttled together. Within each level the list has the order of the run queue, so
 * that the tasks are queued again in the order in which they were unqueued.
 */
struct nuc_group {
	struct base_list tasks;
	uint32_t count;
	bool closed;
};

void nuc_group_init(struct nuc_group *group, bool closed);
void nuc_group_join(struct nuc_task *task, struct nuc_group *group);
void nuc_group_leave(struct nuc_task *task);
/* Throttle all tasks of a group, or let them run. Cost: O(tasks of the group). */
void nuc_group_close(struct nuc_cpu *cpu, struct nuc_group *group, bool closed);
/* A task becomes ready while throttled: it is put behind the tasks that are throttled already. */
void nuc_group_hold(struct nuc_task *task);
/* Queue a task in the list of its level: insert() of classes with groups. */
void nuc_group_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front);

#endif
