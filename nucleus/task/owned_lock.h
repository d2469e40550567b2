/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a task holds that others may wait for, and how urgent they make it. All of a task's owned
 * locks are in a list, in the order in which they came; those with a demand are in a heap as well,
 * so that the highest demand is at hand, however many there are.
 *
 * The heap is leftist: the way down from any node along its second children is no longer than that
 * along any other, so no longer than log2(n + 1), and two heaps are melded along these ways.
 * Source: C. A. Crane, "Linear lists and priority queues as balanced binary trees", Stanford, 1972;
 * D. E. Knuth, TAOCP vol. 3, 5.2.3.
 *
 * Context: the task's CPU, stalled. Cost: a demand that comes, goes or changes O(log n), the rest
 * constant.
 */
#ifndef NUC_OWNED_LOCK_H
#define NUC_OWNED_LOCK_H

#include "base/list.h"
#include "kernel/urgency.h"

struct nuc_cpu;
struct nuc_task;

/* A resource that makes its owner more urgent: an owned mutex, rwlock, or flow of a port. */
struct nuc_owned_lock {
	struct base_list link; /* in nuc_owned_locks.all */
	struct nuc_urgency
		urgency; /* its most urgent waiter's, or the ceiling's; while it is held */
	uint32_t rank;   /* nodes on its way down; the following while it has a demand */
	struct nuc_owned_lock *above;
	struct nuc_owned_lock *below[2];
	/* The owner ends: hand the resource on. Context: the owner's CPU, stalled. */
	void (*orphan)(struct nuc_cpu *cpu, struct nuc_owned_lock *owned_lock);
};

/* Of a task. */
struct nuc_owned_locks {
	struct base_list all;
	struct nuc_owned_lock *highest; /* the demand that no other exceeds; NULL: there is none */
};

static inline void nuc_owned_locks_init(struct nuc_owned_locks *owned_locks)
{
	base_list_init(&owned_locks->all);
	owned_locks->highest = NULL;
}

static inline bool nuc_owned_locks_empty(const struct nuc_owned_locks *owned_locks)
{
	return base_list_empty(&owned_locks->all);
}

/* Of all the owned locks; priority 0: nobody demands anything. */
static inline struct nuc_urgency nuc_owned_locks_demand(const struct nuc_owned_locks *owned_locks)
{
	return owned_locks->highest ? owned_locks->highest->urgency
				    : (struct nuc_urgency){NUC_NO_DEADLINE, 0};
}

/* The task owns it from now on, and nobody demands anything. */
static inline void nuc_owned_lock_add(struct nuc_owned_locks *owned_locks,
				      struct nuc_owned_lock *owned_lock)
{
	base_list_push_back(&owned_lock->link, &owned_locks->all);
	owned_lock->urgency.priority = 0;
}

/* An owned lock of this task's: what is demanded for it is this from now on; priority 0: nothing.
 */
void nuc_owned_lock_demand(struct nuc_owned_locks *owned_locks, struct nuc_owned_lock *owned_lock,
			   struct nuc_urgency urgency);

/* The task, which owns it, does no more. Returns whether there was a demand. */
static inline bool nuc_owned_lock_remove(struct nuc_owned_locks *owned_locks,
					 struct nuc_owned_lock *owned_lock)
{
	const bool demanded = owned_lock->urgency.priority;

	base_list_unlink(&owned_lock->link);
	if (demanded)
		nuc_owned_lock_demand(owned_locks, owned_lock, (struct nuc_urgency){0, 0});
	return demanded;
}

#endif
