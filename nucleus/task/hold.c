/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The heap of demands: see hold.h. */
#include "task/hold.h"

static uint32_t rank_of(const struct nuc_hold *hold)
{
	return hold ? hold->rank : 0;
}

/* After one below has changed. */
static void set_rank(struct nuc_hold *hold)
{
	struct nuc_hold *first = hold->below[0];

	if (rank_of(first) < rank_of(hold->below[1])) {
		hold->below[0] = hold->below[1];
		hold->below[1] = first;
	}
	hold->rank = rank_of(hold->below[1]) + 1;
}

/* Of two heaps, or less, one, with nothing above it. */
static struct nuc_hold *meld(struct nuc_hold *a, struct nuc_hold *b)
{
	struct nuc_hold *top = NULL;
	struct nuc_hold **place = &top;
	struct nuc_hold *above = NULL;

	while (a && b) {
		struct nuc_hold *more = nuc_more_urgent(b->urgency, a->urgency) ? b : a;

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

static void insert(struct nuc_holds *holds, struct nuc_hold *hold)
{
	hold->rank = 1;
	hold->below[0] = NULL;
	hold->below[1] = NULL;
	holds->highest = meld(holds->highest, hold);
}

static void take_out(struct nuc_holds *holds, const struct nuc_hold *hold)
{
	struct nuc_hold *above = hold->above;
	struct nuc_hold *below = meld(hold->below[0], hold->below[1]);

	if (below)
		below->above = above;
	if (!above)
		holds->highest = below;
	else
		above->below[above->below[1] == hold] = below;
	while (above) {
		const uint32_t rank = above->rank;

		set_rank(above);
		above = above->rank == rank ? NULL : above->above;
	}
}

void nuc_hold_demand(struct nuc_holds *holds, struct nuc_hold *hold, struct nuc_urgency urgency)
{
	if (hold->urgency.priority)
		take_out(holds, hold);
	hold->urgency = urgency;
	if (urgency.priority)
		insert(holds, hold);
}
