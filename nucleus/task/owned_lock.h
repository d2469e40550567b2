/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The locks that a task owns, and how urgent their waiters make the task. All owned locks of a task
 * are in a list, in the order in which the task got them. The locks with a demand are also in a
 * heap, so that the highest demand is found in constant time.
 *
 * The heap is leftist: from each node the path down along the second children is the shortest one,
 * so it has at most log2(n + 1) nodes. Two heaps are melded along these paths. Source: C. A. Crane,
 * "Linear lists and priority queues as balanced binary trees", Stanford, 1972; D. E. Knuth, TAOCP
 * vol. 3, 5.2.3.
 *
 * Context: the task's CPU, stalled. Cost: O(log n) for a demand that comes, goes or changes; all
 * else is constant.
 */
#ifndef NUC_OWNED_LOCK_H
#define NUC_OWNED_LOCK_H

#include "base/list.h"
#include "kernel/urgency.h"

struct nuc_cpu;
struct nuc_task;

/* A resource that makes its owner more urgent: an owned mutex, rwlock, or request of a port. */
struct nuc_owned_lock {
	struct base_list link;      /* in nuc_owned_locks.all */
	struct nuc_urgency urgency; /* while owned: its most urgent waiter's, or the ceiling's */
	uint32_t rank; /* nodes on the path along second children; this and the following are valid
			  while it has a demand */
	struct nuc_owned_lock *above;
	struct nuc_owned_lock *below[2];
	/* The owner ends: pass the resource on. Context: the owner's CPU, stalled. */
	void (*orphan)(struct nuc_cpu *cpu, struct nuc_owned_lock *owned_lock);
};

/* Of a task. */
struct nuc_owned_locks {
	struct base_list all;
	struct nuc_owned_lock *highest; /* the highest demand; NULL: none */
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

/* The highest demand of all owned locks; priority 0: none. */
static inline struct nuc_urgency nuc_owned_locks_demand(const struct nuc_owned_locks *owned_locks)
{
	return owned_locks->highest ? owned_locks->highest->urgency
				    : (struct nuc_urgency){NUC_NO_DEADLINE, 0};
}

/* The task owns the lock from now on; there is no demand for it yet. */
static inline void nuc_owned_lock_add(struct nuc_owned_locks *owned_locks,
				      struct nuc_owned_lock *owned_lock)
{
	base_list_push_back(&owned_lock->link, &owned_locks->all);
	owned_lock->urgency.priority = 0;
}

/* Set the demand for an owned lock of this task; priority 0: none. */
void nuc_owned_lock_demand(struct nuc_owned_locks *owned_locks, struct nuc_owned_lock *owned_lock,
			   struct nuc_urgency urgency);

/* The task does not own the lock any more. Returns whether there was a demand. */
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
