/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The heap of demands: see owned_lock.h. */
#include "task/owned_lock.h"

static uint32_t rank_of(const struct nuc_owned_lock *owned_lock)
{
	return owned_lock ? owned_lock->rank : 0;
}

/* Set the rank, after a child has changed. */
static void set_rank(struct nuc_owned_lock *owned_lock)
{
	struct nuc_owned_lock *first = owned_lock->below[0];

	if (rank_of(first) < rank_of(owned_lock->below[1])) {
		owned_lock->below[0] = owned_lock->below[1];
		owned_lock->below[1] = first;
	}
	owned_lock->rank = rank_of(owned_lock->below[1]) + 1;
}

/* Meld two heaps, each of which may be empty. The result has nothing above it. */
static struct nuc_owned_lock *meld(struct nuc_owned_lock *a, struct nuc_owned_lock *b)
{
	struct nuc_owned_lock *top = NULL;
	struct nuc_owned_lock **place = &top;
	struct nuc_owned_lock *above = NULL;

	while (a && b) {
		struct nuc_owned_lock *more = nuc_more_urgent(b->urgency, a->urgency) ? b : a;

		b = more == a ? b : a;
		*place = more;
		more->above = above;
		above = more;
		place = &more->below[1];
		a = more->below[1];
	}
	*place = a ? a : b;
	if (*place)
		(*place)->above = above;
	for (; above; above = above->above)
		set_rank(above);
	return top;
}

static void insert(struct nuc_owned_locks *owned_locks, struct nuc_owned_lock *owned_lock)
{
	owned_lock->rank = 1;
	owned_lock->below[0] = NULL;
	owned_lock->below[1] = NULL;
	owned_locks->highest = meld(owned_locks->highest, owned_lock);
}

static void take_out(struct nuc_owned_locks *owned_locks, const struct nuc_owned_lock *owned_lock)
{
	struct nuc_owned_lock *above = owned_lock->above;
	struct nuc_owned_lock *below = meld(owned_lock->below[0], owned_lock->below[1]);

	if (below)
		below->above = above;
	if (!above)
		owned_locks->highest = below;
	else
		above->below[above->below[1] == owned_lock] = below;
	while (above) {
		const uint32_t rank = above->rank;

		set_rank(above);
		above = above->rank == rank ? NULL : above->above;
	}
}

void nuc_owned_lock_demand(struct nuc_owned_locks *owned_locks, struct nuc_owned_lock *owned_lock,
			   struct nuc_urgency urgency)
{
	if (owned_lock->urgency.priority)
		take_out(owned_locks, owned_lock);
	owned_lock->urgency = urgency;
	if (urgency.priority)
		insert(owned_locks, owned_lock);
}
