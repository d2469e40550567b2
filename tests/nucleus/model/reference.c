/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reference: a scheduler of a few pages. Each CPU runs the most urgent ready task, until it
 * waits or something happens. Only computing takes time; a call to another CPU takes so little that
 * it only costs the caller its place.
 */
#include "world.h"

#include <string.h>

void wake(struct world *world, uint32_t who, enum outcome outcome)
{
	world->task[who].state = READY;
	world->task[who].outcome = outcome;
	world->task[who].woken_ns = world->now_ns;
	world->task[who].has_run = false;
	class_wakes(world, who);
}

static uint32_t most_urgent(struct world *world, uint32_t cpu)
{
	uint32_t best = NOBODY;

	for (uint32_t i = 0; i < world->program->tasks; i++) {
		const struct state_of_task *a = &world->task[i];
		const struct state_of_task *b = &world->task[best == NOBODY ? 0 : best];

		if (!a->queued || world->program->task[i].cpu != cpu)
			continue;
		if (best == NOBODY || rank_before(world, a->rank, b->rank) ||
		    (rank_equal(a->rank, b->rank) && a->place < b->place))
			best = i;
	}
	return best;
}

/* Others look like the next to run, for an instant. */
static void glimpse(struct world *world, uint32_t chosen)
{
	uint32_t cpu = world->program->task[chosen].cpu;

	for (uint32_t i = 0; i < world->program->tasks; i++)
		if (i != chosen && world->task[i].queued && world->program->task[i].cpu == cpu)
			class_glimpses(world, i);
}

/* A release below the running task may be passed over until that stops. */
static bool comes_late(const struct world *world, uint32_t who)
{
	return !world->task[who].has_run && world->task[who].woken_ns != world->now_ns;
}

static uint32_t dispatch(struct world *world, uint32_t cpu)
{
	uint32_t who = most_urgent(world, cpu);
	uint32_t *running = &world->running[cpu];

	if (who == *running)
		return who;
	if (*running != NOBODY)
		class_ends(world, *running);
	if (*running != NOBODY && who != NOBODY && comes_late(world, who))
		glimpse(world, who);
	*running = who;
	if (who == NOBODY)
		return who;
	world->task[who].has_run = true;
	class_begins(world, who);
	return who;
}

static void begin_step(struct world *world, uint32_t who, uint32_t step)
{
	world->task[who].step = step;
	if (step_of(world, who)->kind == STEP_COMPUTE)
		world->task[who].left_ns = step_of(world, who)->ns;
}

static void end_step(struct world *world, uint32_t who, bool locked)
{
	const struct step *step = step_of(world, who);
	uint32_t number = world->task[who].step;

	world->course->ended_ns[who][number] = world->now_ns;
	world->course->locked[who][number] = locked;
	begin_step(world, who, locked ? number + 1 : step->on_error);
}

static void sleep(struct world *world, uint32_t who)
{
	world->task[who].state = SLEEPING;
	world->task[who].timeout_ns = world->now_ns + step_of(world, who)->ns;
	class_blocks(world, who);
}

/* The next release, or the last of those that have passed. Returns whether the step is done. */
static bool take_release(struct world *world, uint32_t who)
{
	const struct task_program *own = program_of(world, who);
	struct state_of_task *task = &world->task[who];
	uint64_t release_ns = task->next_release_ns;
	bool passed = release_ns <= world->now_ns;

	note_distance(world, release_ns, world->now_ns);
	if (passed)
		release_ns += (world->now_ns - release_ns) / own->period_ns * own->period_ns;
	note_distance(world, release_ns, world->now_ns);
	note_distance(world, release_ns + own->period_ns, world->now_ns);
	task->next_release_ns = release_ns + own->period_ns;
	task->budget.deadline_ns = release_ns + own->deadline_ns;
	if (passed)
		return true;
	task->state = SLEEPING;
	task->timeout_ns = release_ns;
	class_blocks(world, who);
	return false;
}

static bool is_far(const struct world *world, uint32_t who)
{
	const struct step *step = step_of(world, who);

	return step->kind >= STEP_LOCK && step->kind < STEP_RELEASE &&
	       world->program->home[step->lock] != world->program->task[who].cpu;
}

/* It has asked another CPU, and was no task to run until the answer came. */
static void come_back(struct world *world, uint32_t who)
{
	class_ends(world, who);
	class_blocks(world, who);
	class_wakes(world, who);
	world->task[who].queued = false;
	world->running[world->program->task[who].cpu] = NOBODY;
	update_places(world);
}

/* The running task does what takes no time. */
static void act(struct world *world, uint32_t who)
{
	struct state_of_task *task = &world->task[who];
	bool far = is_far(world, who);
	bool done = true;

	if (task->outcome != NONE) {
		/* It continues where it waited. */
		done = task->outcome == HAD;
		task->outcome = NONE;
		end_step(world, who, done);
		return;
	}
	switch (step_of(world, who)->kind) {
	case STEP_LOCK:
	case STEP_READ:
		done = lock_resource(world, who);
		break;
	case STEP_UNLOCK:
		unlock_resource(world, who);
		break;
	case STEP_SEND:
		done = send_message(world, who);
		break;
	case STEP_RECEIVE:
		done = receive_message(world, who);
		break;
	case STEP_REPLY:
		reply_message(world, who);
		break;
	case STEP_RELEASE:
		done = take_release(world, who);
		break;
	case STEP_SLEEP:
		sleep(world, who);
		done = false;
		break;
	case STEP_END:
		task->state = ENDED;
		done = false;
		break;
	case STEP_COMPUTE:
		break;
	}
	if (done)
		end_step(world, who, true);
	update_places(world);
	/* A task that inherits from another CPU does so a little later. */
	if (far)
		glimpse(world, who);
	if (far && done)
		come_back(world, who);
}

static void settle(struct world *world)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t cpu = 0; cpu < world->program->cpus; cpu++) {
			uint32_t who = dispatch(world, cpu);

			if (who == NOBODY ||
			    (step_of(world, who)->kind == STEP_COMPUTE && world->task[who].left_ns))
				continue;
			changed = true;
			act(world, who);
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

/* False: all have ended. */
static bool next_of(const struct world *world, struct next *next)
{
	bool alive = false;

	*next = (struct next){MODEL_NEVER, MODEL_NEVER};
	for (uint32_t i = 0; i < world->program->tasks; i++) {
		const struct state_of_task *task = &world->task[i];

		if (task->state == ENDED)
			continue;
		alive = true;
		if (task->state == ABSENT)
			consider(next, world->program->task[i].release_ns);
		else if (task->state != READY)
			consider(next, task->timeout_ns);
		consider(next, budget_event_ns(world, i));
	}
	for (uint32_t cpu = 0; cpu < world->program->cpus; cpu++) {
		uint32_t who = world->running[cpu];

		consider(next, world->interval_end_ns[cpu]);
		if (who == NOBODY)
			continue;
		consider(next, world->now_ns + world->task[who].left_ns);
		consider(next, slice_end_ns(world, who));
	}
	return alive;
}

static void serve_task(struct world *world, uint32_t who)
{
	struct state_of_task *task = &world->task[who];

	if (task->state == ABSENT && world->program->task[who].release_ns == world->now_ns) {
		begin_step(world, who, 0);
		task->next_release_ns = world->now_ns + program_of(world, who)->period_ns;
		wake(world, who, NONE);
	} else if (task->state == SLEEPING && task->timeout_ns == world->now_ns) {
		wake(world, who, HAD);
	} else if (task->state == WAITING && task->timeout_ns == world->now_ns) {
		leave_resource(world, who);
	} else if (task->state != ENDED && budget_event_ns(world, who) == world->now_ns) {
		serve_budget(world, who);
	} else {
		return;
	}
	update_places(world);
}

static void advance(struct world *world, uint64_t to_ns)
{
	uint64_t passed_ns = to_ns - world->now_ns;
	bool over[MODEL_CPUS] = {false};

	for (uint32_t cpu = 0; cpu < world->program->cpus; cpu++) {
		uint32_t who = world->running[cpu];

		if (who == NOBODY)
			continue;
		over[cpu] = slice_end_ns(world, who) == to_ns;
		world->task[who].left_ns -= passed_ns;
		class_charges(world, who, passed_ns);
	}
	world->now_ns = to_ns;
	for (uint32_t cpu = 0; cpu < world->program->cpus; cpu++) {
		if (over[cpu])
			class_slice_over(world, world->running[cpu]);
		if (world->interval_end_ns[cpu] == to_ns)
			serve_interval(world, cpu);
	}
	for (uint32_t i = 0; i < world->program->tasks; i++)
		serve_task(world, i);
}

bool model_foresee(const struct program *program, struct course *course)
{
	struct world world = {.program = program, .course = course};
	struct next next;

	for (uint32_t i = 0; i < MODEL_LOCKS; i++)
		world.owner[i] = NOBODY;
	for (uint32_t cpu = 0; cpu < MODEL_CPUS; cpu++)
		world.running[cpu] = NOBODY;
	memset(course, 0, sizeof(*course));
	for (uint32_t i = 0; i < MODEL_TASKS; i++)
		for (uint32_t step = 0; step < MODEL_STEPS; step++)
			course->ended_ns[i][step] = MODEL_NEVER;
	begin_budgets(&world);
	while (next_of(&world, &next) && !world.unsure) {
		if (next.at_ns == MODEL_NEVER || next.at_ns - world.now_ns < MODEL_GUARD_NS ||
		    next.after_ns - next.at_ns < MODEL_GUARD_NS)
			return false;
		advance(&world, next.at_ns);
		settle(&world);
	}
	course->over_ns = world.now_ns;
	return !world.unsure;
}
