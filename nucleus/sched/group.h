/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of tasks, as quotas and partitions have them. */
#ifndef NUC_GROUP_H
#define NUC_GROUP_H

#include "task/task.h"

/*
 * Tasks that are throttled together. The list is in the order of their queues, level by level, so
 * that they come back in the order in which they were taken away.
 */
struct nuc_group {
	struct base_list tasks;
	uint32_t count;
	bool closed;
};

void nuc_group_init(struct nuc_group *group, bool closed);
void nuc_group_join(struct nuc_task *task, struct nuc_group *group);
void nuc_group_leave(struct nuc_task *task);
/* Throttle all its tasks, or let them run. Cost: O(tasks of the group). */
void nuc_group_close(struct nuc_cpu *cpu, struct nuc_group *group, bool closed);
/* A throttled task comes back behind those that are throttled already. */
void nuc_group_hold(struct nuc_task *task);
/* For classes with groups: queue in the level's list. */
void nuc_group_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front);

#endif
