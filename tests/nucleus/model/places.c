/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The urgency of tasks, and the order among equals. A task is as urgent as itself or as the most
 * urgent of the tasks that wait for it, whichever is higher. A task whose class forbids it to run
 * is only as urgent as those. A task that becomes ready or rises goes to the end of its level, a
 * task that falls goes to the front.
 */
#include "world.h"

bool rank_before(struct world *world, struct rank a, struct rank b)
{
	if (a.priority != b.priority)
		return a.priority > b.priority;
	if (a.deadline_ns != b.deadline_ns && a.deadline_ns != MODEL_NEVER &&
	    b.deadline_ns != MODEL_NEVER)
		note_distance(world, a.deadline_ns, b.deadline_ns);
	return a.deadline_ns < b.deadline_ns;
}

void note_distance(struct world *world, uint64_t a, uint64_t b)
{
	if ((a > b ? a - b : b - a) < MODEL_GUARD_NS)
		world->unsure = true;
}

struct derived {
	struct rank rank;
	bool boosted;
};

static struct derived derive(struct world *world, uint32_t who)
{
	struct rank demand = demand_on(world, who);
	struct derived own = {{own_priority(world, who), world->task[who].budget.deadline_ns},
			      false};

	own.boosted = demand.priority &&
		      (world->task[who].throttled || !rank_before(world, own.rank, demand));
	if (own.boosted)
		own.rank = demand;
	return own;
}

struct rank rank_of(struct world *world, uint32_t who)
{
	return derive(world, who).rank;
}

bool rank_equal(struct rank a, struct rank b)
{
	return a.priority == b.priority && a.deadline_ns == b.deadline_ns;
}

static void update_place(struct world *world, uint32_t who)
{
	struct state_of_task *task = &world->task[who];
	struct derived now = derive(world, who);
	struct rank old = task->rank;
	bool was_boosted = task->boosted, was_queued = task->queued;
	bool falls;

	task->rank = now.rank;
	task->boosted = now.boosted;
	task->queued = task->state == READY && (!task->throttled || now.boosted);
	if (task->state == WAITING && !rank_equal(old, now.rank))
		task->wait_place = ++world->last_place;
	if (!task->queued)
		return;
	falls = now.rank.priority < old.priority ||
		(now.rank.priority == old.priority && was_boosted &&
		 (!now.boosted || rank_before(world, old, now.rank)));
	if (!was_queued)
		task->place = ++world->last_place;
	else if (!rank_equal(old, now.rank))
		task->place = falls ? --world->first_place : ++world->last_place;
}

struct ends {
	int64_t first, last; /* of all places, before they changed */
};

static bool has_moved(const struct world *world, uint32_t who, struct ends before)
{
	const struct state_of_task *task = &world->task[who];

	return task->queued && (task->place < before.first || task->place > before.last);
}

/* Two that change places at once: news from other CPUs has its own order, and so have the members
 * of a group, which may all be closed at the same time. */
static bool may_be_swapped(const struct world *world, uint32_t a, uint32_t b, struct ends before)
{
	return has_moved(world, a, before) && has_moved(world, b, before) &&
	       rank_equal(world->task[a].rank, world->task[b].rank) &&
	       program_of(world, a)->cpu == program_of(world, b)->cpu &&
	       (world->program->cpus > 1 || (program_of(world, a)->class == MODEL_QUOTA &&
					     program_of(world, b)->class == MODEL_QUOTA));
}

/* If one client raises several servers, the one that has served for longest goes first. */
void update_places(struct world *world)
{
	const struct ends before = {world->first_place, world->last_place};
	uint32_t updated = 0;

	for (uint32_t left = world->program->tasks; left; left--) {
		uint32_t next = NOBODY;

		for (uint32_t i = 0; i < world->program->tasks; i++)
			if (!(updated & 1u << i) &&
			    (next == NOBODY || world->task[i].request < world->task[next].request))
				next = i;
		updated |= 1u << next;
		update_place(world, next);
	}
	for (uint32_t i = 0; i < world->program->tasks; i++)
		for (uint32_t j = 0; j < i; j++)
			if (may_be_swapped(world, i, j, before))
				world->unsure = true;
}
