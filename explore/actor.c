/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Actors: the tasks and Linux threads of a run, all of which must come to their end.
 */
#include "hal/sim.h"

#include "explore/scenario.h"

static struct explore_actor actors[EXPLORE_ACTORS];
static uint32_t count;

static struct explore_actor *actor_new(void (*body)(struct explore_actor *), uint32_t number)
{
	struct explore_actor *actor = &actors[count];

	must(count < EXPLORE_ACTORS, "a scenario has at most %u actors", EXPLORE_ACTORS);
	*actor = (struct explore_actor){.body = body, .number = number, .index = count};
	count++;
	return actor;
}

static void enter(void *arg)
{
	struct explore_actor *actor = arg;

	actor->body(actor);
}

static void enter_task(void *arg)
{
	struct explore_actor *actor = arg;

	/* It may run before the call that made it has told its handle. */
	actor->task = tact_task_self();
	explore_check(actor);
	actor->body(actor);
	explore_check(actor);
}

struct explore_actor *explore_task(enum explore_kind kind, uint32_t cpu, uint32_t priority,
				   void (*body)(struct explore_actor *), uint32_t number)
{
	struct explore_actor *actor = actor_new(body, number);
	struct tact_task_attr attr = {.priority = priority, .flags = TACT_ON_CPU(cpu)};
	tact_task_t task;

	if (kind == EXPLORE_LIGHT || (kind == EXPLORE_EITHER && !explore_chance(3)))
		attr.flags |= TACT_TASK_LIGHT;
	must_succeed(tact_task_spawn(&attr, enter_task, actor, &task));
	actor->task = task;
	return actor;
}

struct explore_actor *explore_thread(void (*body)(struct explore_actor *), uint32_t number)
{
	struct explore_actor *actor = actor_new(body, number);

	must_succeed(hal_sim_thread_start(&actor->thread, enter, actor, "thread"));
	return actor;
}

struct explore_actor *explore_anyone(uint32_t n, void (*body)(struct explore_actor *),
				     uint32_t number)
{
	if (explore_chance(n))
		return explore_thread(body, number);
	return explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), body, number);
}

struct explore_actor *explore_actor(uint32_t index)
{
	return &actors[index];
}

uint32_t explore_actors(void)
{
	return count;
}

void explore_join(struct explore_actor *actor)
{
	char all[768];
	int result;

	if (actor->joined)
		return;
	if (actor->thread) {
		/* One that never ends is found by the simulation, which has nothing left to do. */
		hal_sim_thread_join(actor->thread);
		actor->joined = true;
		return;
	}
	result = tact_task_join(actor->task, EXPLORE_LONG);
	if (result == -TACT_ETIMEDOUT) {
		explore_status_describe(all, sizeof(all));
		explore_fail("actor %u never ends%s", actor->index, all);
	}
	must(!result, "joining actor %u gave %d", actor->index, result);
	actor->joined = true;
}

void explore_join_all(void)
{
	for (uint32_t i = 0; i < count; i++)
		explore_join(&actors[i]);
}

bool explore_disturb(const struct explore_actor *actor)
{
	int result;

	switch (explore_below(3)) {
	case 0:
		result = tact_task_unblock(actor->task, 0);
		break;
	case 1:
		result = tact_task_set_priority(actor->task, explore_between(1, 9), 0, NULL);
		break;
	default:
		result = tact_task_migrate(actor->task, explore_any_cpu());
	}
	must(!result || result == -TACT_ESRCH || result == -TACT_EBUSY || result == -TACT_EIDRM,
	     "disturbing actor %u gave %d", actor->index, result);
	return result != -TACT_EIDRM;
}

void explore_jostle(struct explore_actor *self)
{
	const struct explore_actor *other = explore_actor(explore_below(explore_actors()));
	int result = 0;

	if (other != self && other->task.id)
		result = explore_chance(2) ? tact_task_unblock(other->task, 0)
					   : tact_task_migrate(other->task, explore_any_cpu());
	must(!result || result == -TACT_ESRCH || result == -TACT_EBUSY || result == -TACT_EIDRM,
	     "disturbing gave %d", result);
	explore_check(self);
	explore_pause(5000);
}

void explore_forget(struct explore_actor *actor)
{
	actor->joined = true;
}

void explore_rest(void)
{
	/* The longest pause of the perturbation is 4 ms a point; a message takes some points. */
	tact_compute(200 * EXPLORE_MS);
}

void explore_dawdle(uint32_t longest_ns)
{
	uint32_t dice = explore_below(8);
	uint32_t duration_ns = explore_below(longest_ns + 1);

	if (dice < 3)
		return;
	if (dice < 6)
		tact_compute(duration_ns);
	else if (!tact_task_self().id)
		tact_compute(duration_ns);
	else if (dice == 6)
		must_succeed(tact_task_yield());
	else
		explore_pause(1 + duration_ns);
}

void explore_pause(uint32_t longest_ns)
{
	uint32_t duration_ns = 1 + explore_below(longest_ns);
	int result;

	if (!tact_task_self().id) {
		tact_compute(duration_ns);
		return;
	}
	result = tact_task_sleep(duration_ns);
	must(!result || result == -TACT_ECANCELED, "sleep: %d", result);
}
