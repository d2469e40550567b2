/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Quanta and budgets of the reference. All time that a task runs is charged. If other tasks wait
 * for an owner that its class would not let run, it continues for them, and owes that time.
 */
#include "world.h"

void begin_budgets(struct world *world)
{
	for (uint32_t i = 0; i < world->program->tasks; i++) {
		struct budget *budget = budget_of(world, i);

		world->task[i].client = NOBODY;
		budget->left_ns = (int64_t)program_of(world, i)->slice_ns;
		budget->due_ns = MODEL_NEVER;
		budget->deadline_ns = MODEL_NEVER;
	}
	for (uint32_t cpu = 0; cpu < world->program->cpus; cpu++) {
		uint64_t interval_ns = world->program->interval_ns[cpu];

		world->quota_left_ns[cpu] = (int64_t)world->program->quota_ns[cpu];
		world->interval_end_ns[cpu] = MODEL_NEVER;
		if (interval_ns)
			world->interval_end_ns[cpu] = interval_ns - MODEL_LEAD_NS % interval_ns;
	}
}

uint32_t own_priority(const struct world *world, uint32_t who)
{
	return world->task[who].budget.low ? program_of(world, who)->low_priority
					   : program_of(world, who)->priority;
}

void class_wakes(struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	struct budget *budget = budget_of(world, who);

	if (own->class == MODEL_CBS)
		cbs_wake(world, who);
	else if (own->class == MODEL_EDF && budget->deadline_ns == MODEL_NEVER)
		budget->deadline_ns = own->release_ns + own->deadline_ns;
}

void class_blocks(struct world *world, uint32_t who)
{
	if (program_of(world, who)->class == MODEL_RR)
		budget_of(world, who)->left_ns = (int64_t)program_of(world, who)->slice_ns;
}

void class_begins(struct world *world, uint32_t who)
{
	if (program_of(world, who)->class == MODEL_SPORADIC)
		sporadic_begin_run(world, who);
}

/* A run that only made calls has also used a little time, which comes back by itself. */
void class_ends(struct world *world, uint32_t who)
{
	struct budget *budget = budget_of(world, who);

	if (program_of(world, who)->class != MODEL_SPORADIC)
		return;
	if (!budget->low && !budget->used_ns) {
		budget->left_ns--;
		budget->used_ns++;
	}
	sporadic_end_run(world, who);
}

void class_glimpses(struct world *world, uint32_t who)
{
	if (program_of(world, who)->class != MODEL_SPORADIC || world->task[who].budget.low)
		return;
	sporadic_bring_back(world, who, world->now_ns, 0);
	/* The time that has paid comes back with the next use, even a small one. */
	if (world->task[who].budget.paid_ns)
		world->unsure = true;
}

void class_charges(struct world *world, uint32_t who, uint64_t ran_ns)
{
	const struct task_program *own = program_of(world, who);

	if (own->class == MODEL_RR || own->class == MODEL_CBS)
		budget_of(world, who)->left_ns -= (int64_t)ran_ns;
	else if (own->class == MODEL_QUOTA)
		world->quota_left_ns[own->cpu] -= (int64_t)ran_ns;
	else if (own->class == MODEL_SPORADIC)
		sporadic_charge(world, who, ran_ns);
}

uint64_t slice_end_ns(const struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	const struct state_of_task *task = &world->task[who];
	int64_t left_ns = task->budget.left_ns;

	switch (own->class) {
	case MODEL_QUOTA:
		left_ns = world->quota_left_ns[own->cpu];
		if (task->throttled)
			return MODEL_NEVER;
		break;
	case MODEL_CBS:
		if (task->throttled)
			return MODEL_NEVER;
		break;
	case MODEL_SPORADIC:
		if (task->budget.low)
			return MODEL_NEVER;
		break;
	case MODEL_RR:
		break;
	default:
		return MODEL_NEVER;
	}
	return world->now_ns + (uint64_t)left_ns;
}

static void close_group(struct world *world, uint32_t cpu, bool closed)
{
	for (uint32_t i = 0; i < world->program->tasks; i++)
		if (program_of(world, i)->class == MODEL_QUOTA && program_of(world, i)->cpu == cpu)
			world->task[i].throttled = closed;
}

void class_slice_over(struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	struct state_of_task *task = &world->task[who];

	switch (own->class) {
	case MODEL_RR:
		task->budget.left_ns = (int64_t)own->slice_ns;
		task->place = ++world->last_place;
		break;
	case MODEL_CBS:
		cbs_slice_over(world, who);
		break;
	case MODEL_SPORADIC:
		sporadic_end_run(world, who);
		task->budget.low = true;
		update_places(world);
		if (!task->boosted)
			task->place = ++world->last_place;
		break;
	default:
		close_group(world, own->cpu, true);
		break;
	}
	update_places(world);
}

uint64_t budget_event_ns(const struct world *world, uint32_t who)
{
	const struct budget *budget = &world->task[who].budget;

	if (program_of(world, who)->class == MODEL_SPORADIC)
		return budget->chunks ? budget->at_ns[0] : MODEL_NEVER;
	return budget->due_ns;
}

void serve_budget(struct world *world, uint32_t who)
{
	if (program_of(world, who)->class == MODEL_SPORADIC)
		sporadic_replenish(world, who);
	else
		cbs_refill(world, who, world->now_ns);
	update_places(world);
}

void serve_interval(struct world *world, uint32_t cpu)
{
	int64_t *left_ns = &world->quota_left_ns[cpu];
	int64_t quota_ns = (int64_t)world->program->quota_ns[cpu];

	world->interval_end_ns[cpu] += world->program->interval_ns[cpu];
	*left_ns = (*left_ns > 0 ? 0 : *left_ns) + quota_ns;
	if (*left_ns > 0)
		close_group(world, cpu, false);
	update_places(world);
}
