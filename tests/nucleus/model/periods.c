/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The constant bandwidth server of the reference: periods, budgets and deadlines. */
#include "world.h"

/* Periods that have passed have paid debts, and brought nothing else. */
static void catch_up(struct world *world, uint32_t who, uint64_t now_ns)
{
	const struct task_program *own = program_of(world, who);
	struct budget *budget = budget_of(world, who);
	uint64_t periods = (now_ns - budget->period_ns) / own->renewal_ns;

	if (now_ns < budget->period_ns + own->renewal_ns)
		return;
	budget->period_ns += periods * own->renewal_ns;
	if (budget->left_ns > 0)
		budget->left_ns = 0;
	budget->left_ns += (int64_t)(periods * own->slice_ns);
	if (budget->left_ns > (int64_t)own->slice_ns)
		budget->left_ns = (int64_t)own->slice_ns;
}

/* Is it this period, or the one before or after? */
static void note_period(struct world *world, uint32_t who)
{
	uint64_t renewal_ns = program_of(world, who)->renewal_ns;
	uint64_t at_ns = (world->now_ns - budget_of(world, who)->period_ns) % renewal_ns;

	note_distance(world, at_ns, 0);
	note_distance(world, at_ns, renewal_ns);
}

static void throttle(struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	struct budget *budget = budget_of(world, who);
	uint64_t debt_ns = budget->left_ns < 0 ? (uint64_t)-budget->left_ns : 0;

	world->task[who].throttled = true;
	budget->due_ns = budget->period_ns + (debt_ns / own->slice_ns + 1) * own->renewal_ns;
}

void cbs_refill(struct world *world, uint32_t who, uint64_t now_ns)
{
	struct budget *budget = budget_of(world, who);

	catch_up(world, who, now_ns);
	if (budget->left_ns <= 0) {
		throttle(world, who);
		return;
	}
	world->task[who].throttled = false;
	budget->due_ns = MODEL_NEVER;
	budget->deadline_ns = budget->period_ns + program_of(world, who)->deadline_ns;
}

static void begin_period(struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	struct budget *budget = budget_of(world, who);

	/* Before the first one there was no other. */
	if (budget->deadline_ns != MODEL_NEVER)
		catch_up(world, who, world->now_ns);
	if (budget->left_ns > 0)
		budget->left_ns = 0;
	budget->period_ns = world->now_ns;
	budget->left_ns += (int64_t)own->slice_ns;
	budget->deadline_ns = world->now_ns + own->deadline_ns;
}

void cbs_wake(struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	struct budget *budget = budget_of(world, who);
	uint64_t now_ns = world->now_ns;
	uint64_t rest_ns = 0, share_ns;

	if (world->task[who].throttled)
		return;
	if (budget->deadline_ns == MODEL_NEVER) {
		begin_period(world, who);
		return;
	}
	note_distance(world, budget->deadline_ns, now_ns);
	note_period(world, who);
	if (budget->deadline_ns > now_ns)
		rest_ns = budget->deadline_ns - now_ns;
	share_ns = (uint64_t)((unsigned __int128)own->slice_ns * rest_ns / own->deadline_ns);
	if (rest_ns)
		note_distance(world, (uint64_t)budget->left_ns, share_ns);
	/* The rest may not exceed the task's share of the time until the deadline. */
	if (!rest_ns || budget->left_ns > (int64_t)share_ns) {
		if (own->deadline_ns == own->renewal_ns ||
		    now_ns >= budget->period_ns + own->renewal_ns)
			begin_period(world, who);
		else
			budget->left_ns = (int64_t)share_ns;
	}
	if (budget->left_ns <= 0)
		throttle(world, who);
}

void cbs_slice_over(struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	struct budget *budget = budget_of(world, who);

	note_period(world, who);
	if (world->now_ns < budget->period_ns + own->renewal_ns)
		throttle(world, who);
	else
		cbs_refill(world, who, world->now_ns);
}
