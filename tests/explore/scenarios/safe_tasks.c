/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletion safety: tasks are safe and unsafe at random, also by mutexes of any CPU, while others
 * order their deletion with all kinds of timeouts, delete by force, and move them. A task that is
 * safe does not end but by force. A task that is ordered to end executes nothing once it is not
 * safe. No deleter is left.
 */
#include "explore/scenario.h"

#define VICTIMS 3
#define MUTEXES 2

struct victim {
	struct explore_actor *actor;
	uint32_t counts;       /* tact_task_safe() */
	bool owns[MUTEXES];    /* for sure */
	bool may_own[MUTEXES]; /* it does, or a call decides about it */
	uint32_t may_count;
	bool ordered; /* for sure */
	bool forced;
};

static struct victim victims[VICTIMS];
static tact_mutex_t mutexes[MUTEXES];
static tact_sem_t sem;
static uint32_t count;

static bool is_safe(const struct victim *victim)
{
	return victim->counts || victim->owns[0] || victim->owns[1];
}

static bool may_be_safe(const struct victim *victim)
{
	return victim->may_count || victim->may_own[0] || victim->may_own[1];
}

/* The victim executes its own code. */
static void check_alive(const struct victim *victim)
{
	must(!victim->ordered || may_be_safe(victim) || tact_mode() != TACT_MODE_PRIMARY,
	     "actor %u continues, was ordered to end, and is not safe", victim->actor->index);
	explore_check(victim->actor);
}

static void count_up(struct victim *victim)
{
	victim->may_count++;
	must_succeed(tact_task_safe());
	victim->counts++;
}

static void count_down(struct victim *victim)
{
	victim->counts--;
	must_succeed(tact_task_unsafe());
	victim->may_count--;
}

static void own(struct victim *victim, uint32_t which)
{
	int result;

	victim->may_own[which] = true;
	result = tact_mutex_lock(mutexes[which], tact_in(1 + explore_below(20000)));
	if (result == -TACT_EOWNERDEAD) {
		victim->owns[which] = true;
		result = tact_mutex_consistent(mutexes[which]);
	}
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_EDEADLK ||
		     result == -TACT_ECANCELED,
	     "lock: %d", result);
	victim->owns[which] = victim->may_own[which] = !result;
}

static void give(struct victim *victim, uint32_t which)
{
	victim->owns[which] = false;
	must_succeed(tact_mutex_unlock(mutexes[which]));
	victim->may_own[which] = false;
}

static void step(struct victim *victim)
{
	const uint32_t which = explore_below(MUTEXES);
	int result = 0;

	switch (explore_below(7)) {
	case 0:
		count_up(victim);
		break;
	case 1:
		if (victim->counts)
			count_down(victim);
		break;
	case 2:
	case 3:
		if (victim->owns[which])
			give(victim, which);
		else
			own(victim, which);
		break;
	case 4:
		result = tact_sem_wait(sem, tact_in(1 + explore_below(10000)));
		break;
	case 5:
		result = tact_task_relax();
		tact_compute(explore_below(2000));
		result = result == -TACT_EPERM ? 0 : tact_task_harden();
		break;
	default:
		result = tact_task_sleep(1 + explore_below(3000));
	}
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED, "a step gave %d",
	     result);
	check_alive(victim);
	tact_compute(explore_below(5000));
	check_alive(victim);
}

static void live(struct explore_actor *self)
{
	struct victim *victim = &victims[self->number];

	victim->actor = self;
	for (uint32_t i = 0; i < 25; i++)
		step(victim);
	while (victim->counts)
		count_down(victim);
	for (uint32_t i = 0; i < MUTEXES; i++)
		if (victim->owns[i])
			give(victim, i);
	check_alive(victim);
}

static tact_timeout_t any_timeout(void)
{
	switch (explore_below(4)) {
	case 0:
		return TACT_NOWAIT;
	case 1:
		return EXPLORE_LONG;
	case 2:
		return tact_at(tact_time_add(tact_now(), explore_below(50000)));
	default:
		return tact_in(explore_below(50000));
	}
}

static void order(struct explore_actor *self, struct victim *victim)
{
	const tact_timeout_t timeout = any_timeout();
	struct explore_status status;
	int result = tact_task_delete_unsafe(victim->actor->task, timeout);

	explore_check(self);
	if (result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED)
		victim->ordered = true;
	if (!result && explore_status(victim->actor->task, &status))
		must(status.state & (TACT_TASK_STATE_RELAXED | TACT_TASK_STATE_ENDED |
				     TACT_TASK_STATE_MOVING | TACT_TASK_STATE_WAITING),
		     "actor %u is deleted and in state 0x%x", victim->actor->index, status.state);
	must(!result || victim->ordered || result == -TACT_EAGAIN || result == -TACT_EIDRM,
	     "deletion gave %d", result);
}

static void delete_some(struct explore_actor *self)
{
	for (uint32_t i = 0; i < 6; i++) {
		struct victim *victim = &victims[explore_below(count)];

		explore_pause(30000);
		if (!victim->actor)
			continue;
		if (explore_chance(12)) {
			victim->forced = true;
			(void)tact_task_delete(victim->actor->task);
		} else if (explore_chance(2)) {
			order(self, victim);
		} else {
			(void)explore_disturb(victim->actor);
		}
		explore_check(self);
	}
}

/* It ends by itself, if by nothing else. */
static void await(struct victim *victim)
{
	int result = tact_task_join(victim->actor->task, EXPLORE_LONG);

	while (result == -TACT_EINVAL) {
		tact_compute(EXPLORE_MS);
		result = tact_task_inquire(victim->actor->task, NULL);
		result = result == -TACT_EIDRM ? result : -TACT_EINVAL;
	}
	must(!result || result == -TACT_EIDRM, "waiting for actor %u gave %d", victim->actor->index,
	     result);
	must(victim->forced || !is_safe(victim), "actor %u was safe and has ended",
	     victim->actor->index);
	explore_forget(victim->actor);
}

EXPLORE(safe_tasks, 1, 3, "tasks are safe from deletion, while others order it")
{
	count = explore_between(1, VICTIMS);
	must_succeed(tact_sem_create(NULL, 0, 10, explore_any_flags(), &sem));
	for (uint32_t i = 0; i < MUTEXES; i++)
		must_succeed(tact_mutex_create(NULL, TACT_MUTEX_SAFE | explore_any_flags(), 0,
					       &mutexes[i]));
	for (uint32_t i = 0; i < count; i++)
		victims[i].actor = explore_task(EXPLORE_EITHER, explore_any_cpu(),
						explore_between(1, 9), live, i);
	for (uint32_t i = explore_between(1, 4); i; i--)
		explore_anyone(3, delete_some, 0);
	for (uint32_t i = 0; i < count; i++)
		await(&victims[i]);
	explore_join_all();
	explore_rest();
	for (uint32_t i = 0; i < MUTEXES; i++)
		must_succeed(tact_mutex_delete(mutexes[i]));
	must_succeed(tact_sem_delete(sem));
}
