/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reference: a scheduler that is told in a page. On each CPU runs the ready task that is most
 * urgent: by priority, then by deadline. A task is as urgent as itself or the most urgent of those
 * who wait for a lock that it owns, whatever is further up. A lock that is let go is the most
 * urgent waiter's. Nothing is kept that can be derived: each question is answered anew from who
 * owns and who waits.
 */
#include "locks.h"

#include <string.h>

#define NOBODY UINT32_MAX

enum state { ABSENT, READY, WAITING, ENDED };

struct state_of_task {
	enum state state;
	uint32_t step;
	uint64_t left_ns;    /* of the step, if it computes */
	uint64_t timeout_ns; /* of the wait */
	uint32_t wanted;     /* lock; while WAITING */
};

struct world {
	const struct program *program;
	struct course *course;
	uint64_t now_ns;
	struct state_of_task task[MODEL_TASKS];
	uint32_t owner[MODEL_LOCKS];
};

struct rank {
	uint32_t priority;
	uint64_t deadline_ns;
};

static bool before(struct rank a, struct rank b)
{
	return a.priority != b.priority ? a.priority > b.priority : a.deadline_ns < b.deadline_ns;
}

static struct rank rank_of(const struct world *world, uint32_t who)
{
	const struct task_program *own = &world->program->task[who];
	struct rank rank = {own->priority, own->deadline_ns == MODEL_NEVER
						   ? MODEL_NEVER
						   : own->release_ns + own->deadline_ns};

	for (uint32_t i = 0; i < world->program->tasks; i++) {
		struct rank other;

		if (world->task[i].state != WAITING || world->owner[world->task[i].wanted] != who)
			continue;
		other = rank_of(world, i);
		if (before(other, rank))
			rank = other;
	}
	return rank;
}

static uint32_t running(const struct world *world, uint32_t cpu)
{
	uint32_t best = NOBODY;

	for (uint32_t i = 0; i < world->program->tasks; i++)
		if (world->task[i].state == READY && world->program->task[i].cpu == cpu &&
		    (best == NOBODY || before(rank_of(world, i), rank_of(world, best))))
			best = i;
	return best;
}

static const struct step *step_of(const struct world *world, uint32_t who)
{
	return &world->program->task[who].step[world->task[who].step];
}

static void begin_step(struct world *world, uint32_t who, uint32_t step)
{
	world->task[who].step = step;
	if (step_of(world, who)->kind == STEP_COMPUTE)
		world->task[who].left_ns = step_of(world, who)->ns;
}

static void end_step(struct world *world, uint32_t who, bool locked)
{
	uint32_t step = world->task[who].step;

	world->course->ended_ns[who][step] = world->now_ns;
	world->course->locked[who][step] = locked;
}

static void lock(struct world *world, uint32_t who)
{
	const struct step *step = step_of(world, who);
	struct state_of_task *task = &world->task[who];

	if (world->owner[step->lock] == NOBODY) {
		world->owner[step->lock] = who;
		end_step(world, who, true);
		begin_step(world, who, task->step + 1);
		return;
	}
	task->state = WAITING;
	task->wanted = step->lock;
	task->timeout_ns = step->ns == MODEL_NEVER ? MODEL_NEVER : world->now_ns + step->ns;
}

static void unlock(struct world *world, uint32_t who)
{
	uint32_t lock = step_of(world, who)->lock;
	uint32_t next = NOBODY;

	/* As they rank while they still wait for this owner. */
	for (uint32_t i = 0; i < world->program->tasks; i++)
		if (world->task[i].state == WAITING && world->task[i].wanted == lock &&
		    (next == NOBODY || before(rank_of(world, i), rank_of(world, next))))
			next = i;
	end_step(world, who, true);
	begin_step(world, who, world->task[who].step + 1);
	world->owner[lock] = next;
	if (next == NOBODY)
		return;
	/* It goes on from there when it has the processor, see settle(). */
	world->task[next].state = READY;
	world->task[next].timeout_ns = 0;
}

/* It has been given the lock that it waited for, or has waited in vain: what its call returns. */
static bool returns(struct world *world, uint32_t who)
{
	const struct step *step = step_of(world, who);
	bool locked;

	if (step->kind != STEP_LOCK)
		return false;
	locked = world->owner[step->lock] == who;
	if (!locked && !world->task[who].timeout_ns)
		return false;
	world->task[who].timeout_ns = 0;
	end_step(world, who, locked);
	begin_step(world, who, locked ? world->task[who].step + 1 : step->on_error);
	return true;
}

/* Everything that takes no time, until each running task computes. */
static void settle(struct world *world)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t cpu = 0; cpu < world->program->cpus; cpu++) {
			uint32_t who = running(world, cpu);
			const struct step *step;

			if (who == NOBODY)
				continue;
			step = step_of(world, who);
			if (step->kind == STEP_COMPUTE && world->task[who].left_ns)
				continue;
			changed = true;
			if (step->kind == STEP_COMPUTE) {
				end_step(world, who, true);
				begin_step(world, who, world->task[who].step + 1);
			} else if (returns(world, who)) {
				continue;
			} else if (step->kind == STEP_LOCK) {
				lock(world, who);
			} else if (step->kind == STEP_UNLOCK) {
				unlock(world, who);
			} else {
				world->task[who].state = ENDED;
			}
		}
	}
}

struct next {
	uint64_t at_ns;
	uint64_t after_ns; /* of the one after it */
};

static void consider(struct next *next, uint64_t at_ns)
{
	if (at_ns < next->at_ns) {
		next->after_ns = next->at_ns;
		next->at_ns = at_ns;
	} else if (at_ns < next->after_ns) {
		next->after_ns = at_ns;
	}
}

static struct next next_of(const struct world *world)
{
	struct next next = {MODEL_NEVER, MODEL_NEVER};

	for (uint32_t i = 0; i < world->program->tasks; i++) {
		const struct state_of_task *task = &world->task[i];

		if (task->state == ABSENT)
			consider(&next, world->program->task[i].release_ns);
		else if (task->state == WAITING)
			consider(&next, task->timeout_ns);
		else if (task->state == READY && running(world, world->program->task[i].cpu) == i)
			consider(&next, world->now_ns + task->left_ns);
	}
	return next;
}

static void advance(struct world *world, uint64_t to_ns)
{
	uint64_t passed_ns = to_ns - world->now_ns;

	for (uint32_t cpu = 0; cpu < world->program->cpus; cpu++) {
		uint32_t who = running(world, cpu);

		if (who != NOBODY)
			world->task[who].left_ns -= passed_ns;
	}
	world->now_ns = to_ns;
	for (uint32_t i = 0; i < world->program->tasks; i++) {
		struct state_of_task *task = &world->task[i];

		if (task->state == ABSENT && world->program->task[i].release_ns == to_ns) {
			task->state = READY;
			begin_step(world, i, 0);
		} else if (task->state == WAITING && task->timeout_ns == to_ns) {
			task->state = READY;
		}
	}
}

bool model_foresee(const struct program *program, struct course *course)
{
	struct world world = {.program = program, .course = course};

	for (uint32_t i = 0; i < MODEL_LOCKS; i++)
		world.owner[i] = NOBODY;
	memset(course, 0, sizeof(*course));
	for (uint32_t i = 0; i < MODEL_TASKS; i++)
		for (uint32_t step = 0; step < MODEL_STEPS; step++)
			course->ended_ns[i][step] = MODEL_NEVER;
	for (;;) {
		const struct next next = next_of(&world);

		if (next.at_ns == MODEL_NEVER)
			return true;
		if (next.at_ns - world.now_ns < MODEL_GUARD_NS ||
		    next.after_ns - next.at_ns < MODEL_GUARD_NS)
			return false;
		advance(&world, next.at_ns);
		settle(&world);
	}
}
