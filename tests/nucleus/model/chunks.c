/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sporadic server of the reference: used time comes back a period after its run began. */
#include "world.h"

void sporadic_bring_back(struct world *world, uint32_t who, uint64_t from_ns, uint64_t amount_ns)
{
	struct budget *budget = budget_of(world, who);
	uint64_t at_ns = from_ns + program_of(world, who)->renewal_ns;
	uint32_t place = budget->chunks;

	for (uint32_t i = 0; i < budget->chunks; i++)
		if (budget->at_ns[i] == at_ns) {
			budget->amount_ns[i] += amount_ns;
			return;
		}
	/* Which ones come back together is tests/nucleus/sched/model.c's to tell. */
	if (budget->chunks == CHUNKS) {
		world->unsure = true;
		return;
	}
	for (; place && budget->at_ns[place - 1] > at_ns; place--) {
		budget->at_ns[place] = budget->at_ns[place - 1];
		budget->amount_ns[place] = budget->amount_ns[place - 1];
	}
	budget->at_ns[place] = at_ns;
	budget->amount_ns[place] = amount_ns;
	budget->chunks++;
}

void sporadic_end_run(struct world *world, uint32_t who)
{
	struct budget *budget = budget_of(world, who);

	if (!budget->used_ns)
		return;
	sporadic_bring_back(world, who, budget->begun_ns, budget->used_ns + budget->paid_ns);
	budget->used_ns = 0;
	budget->paid_ns = 0;
}

/* The time that has paid is back if the server did not run for a period. */
void sporadic_begin_run(struct world *world, uint32_t who)
{
	struct budget *budget = budget_of(world, who);

	budget->begun_ns = world->now_ns;
	if (!budget->paid_ns)
		return;
	note_distance(world, world->now_ns, budget->paid_back_ns);
	if (world->now_ns < budget->paid_back_ns)
		return;
	budget->left_ns += (int64_t)budget->paid_ns;
	budget->paid_ns = 0;
}

void sporadic_replenish(struct world *world, uint32_t who)
{
	struct budget *budget = budget_of(world, who);
	uint64_t at_ns = budget->at_ns[0], amount_ns = budget->amount_ns[0], paid_ns;

	budget->chunks--;
	for (uint32_t i = 0; i < budget->chunks; i++) {
		budget->at_ns[i] = budget->at_ns[i + 1];
		budget->amount_ns[i] = budget->amount_ns[i + 1];
	}
	if (!amount_ns) {
		if (budget->low || world->running[program_of(world, who)->cpu] == who)
			world->unsure = true;
		return;
	}
	sporadic_end_run(world, who);
	if (budget->debt_ns)
		note_distance(world, budget->debt_ns, amount_ns);
	paid_ns = amount_ns < budget->debt_ns ? amount_ns : budget->debt_ns;
	budget->debt_ns -= paid_ns;
	budget->left_ns += (int64_t)(amount_ns - paid_ns);
	if (!budget->left_ns) {
		sporadic_bring_back(world, who, at_ns, paid_ns);
		return;
	}
	if (paid_ns) {
		budget->paid_ns += paid_ns;
		budget->paid_back_ns = at_ns + program_of(world, who)->renewal_ns;
	}
	budget->low = false;
	budget->begun_ns = world->now_ns;
}

void sporadic_charge(struct world *world, uint32_t who, uint64_t ran_ns)
{
	struct budget *budget = budget_of(world, who);

	if (!budget->low) {
		budget->left_ns -= (int64_t)ran_ns;
		budget->used_ns += ran_ns;
	} else if (world->task[who].rank.priority > program_of(world, who)->low_priority) {
		budget->debt_ns += ran_ns;
	}
}
