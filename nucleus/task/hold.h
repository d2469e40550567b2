/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a task holds that others may wait for, and how urgent they make it. All of a task's holds
 * are in a list, in the order in which they came; those with a demand are in a heap as well, so
 * that the highest demand is at hand, however many there are.
 *
 * The heap is leftist: the way down from any node along its second children is no longer than that
 * along any other, so no longer than log2(n + 1), and two heaps are melded along these ways.
 * Source: C. A. Crane, "Linear lists and priority queues as balanced binary trees", Stanford, 1972;
 * D. E. Knuth, TAOCP vol. 3, 5.2.3.
 *
 * Context: the task's CPU, stalled. Cost: a demand that comes, goes or changes O(log n), the rest
 * constant.
 */
#ifndef NUC_HOLD_H
#define NUC_HOLD_H

#include "base/list.h"
#include "kernel/urgency.h"

struct nuc_cpu;
struct nuc_task;

/* A resource that makes its owner more urgent: an owned mutex, rwlock, or flow of a port. */
struct nuc_hold {
	struct base_list link; /* in nuc_holds.all */
	struct nuc_urgency
		urgency; /* its most urgent waiter's, or the ceiling's; while it is held */
	uint32_t rank;   /* nodes on its way down; the following while it has a demand */
	struct nuc_hold *above;
	struct nuc_hold *below[2];
	/* The owner ends: hand the resource on. Context: the owner's CPU, stalled. */
	void (*orphan)(struct nuc_cpu *cpu, struct nuc_hold *hold);
};

/* Of a task. */
struct nuc_holds {
	struct base_list all;
	struct nuc_hold *highest; /* the demand that no other exceeds; NULL: there is none */
};

static inline void nuc_holds_init(struct nuc_holds *holds)
{
	base_list_init(&holds->all);
	holds->highest = NULL;
}

static inline bool nuc_holds_nothing(const struct nuc_holds *holds)
{
	return base_list_empty(&holds->all);
}

/* Of all the holds; priority 0: nobody demands anything. */
static inline struct nuc_urgency nuc_holds_demand(const struct nuc_holds *holds)
{
	return holds->highest ? holds->highest->urgency : (struct nuc_urgency){NUC_NO_DEADLINE, 0};
}

/* The task holds it from now on, and nobody demands anything. */
static inline void nuc_hold_add(struct nuc_holds *holds, struct nuc_hold *hold)
{
	base_list_push_back(&hold->link, &holds->all);
	hold->urgency.priority = 0;
}

/* A hold of this task's: what is demanded for it is this from now on; priority 0: nothing. */
void nuc_hold_demand(struct nuc_holds *holds, struct nuc_hold *hold, struct nuc_urgency urgency);

/* The task, which holds it, does no more. Returns whether there was a demand. */
static inline bool nuc_hold_remove(struct nuc_holds *holds, struct nuc_hold *hold)
{
	const bool demanded = hold->urgency.priority;

	base_list_unlink(&hold->link);
	if (demanded)
		nuc_hold_demand(holds, hold, (struct nuc_urgency){0, 0});
	return demanded;
}

#endif
