/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes under contention from all CPUs, with timeouts, unblocks, new priorities and moves: never
 * two owners, no waiter is forgotten, and in the end each task has its own priority again.
 */
#include "explore/scenario.h"

#define MUTEXES 4
#define TASKS   7

static tact_mutex_t mutex[MUTEXES];
static const struct explore_actor *inside[MUTEXES];
static uint32_t tasks_left;
static bool looked;
static bool may_repeat[MUTEXES];

/* In ascending order, so that no circle can close. */
static void enter(struct explore_actor *self, uint32_t which)
{
	int result;

	if (which >= MUTEXES)
		return;
	if (explore_chance(4))
		result = tact_mutex_lock(mutex[which], tact_in(1 + explore_below(20000)));
	else if (explore_chance(4))
		result = tact_mutex_lock(mutex[which], TACT_NOWAIT);
	else
		result = tact_mutex_lock(mutex[which], TACT_FOREVER);
	explore_check(self);
	if (result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED || result == -TACT_EAGAIN)
		return;
	must_succeed(result);
	must(!inside[which], "actors %u and %u own one mutex", self->index, inside[which]->index);
	inside[which] = self;
	explore_dawdle(2000);
	must_equal(tact_mutex_lock(mutex[which], TACT_NOWAIT),
		   may_repeat[which] ? 0 : -TACT_EDEADLK);
	enter(self, which + explore_between(1, 3));
	if (may_repeat[which])
		must_succeed(tact_mutex_unlock(mutex[which]));
	must(inside[which] == self, "another actor came in");
	inside[which] = NULL;
	must_succeed(tact_mutex_unlock(mutex[which]));
	explore_check(self);
	must_equal(tact_mutex_unlock(mutex[which]), -TACT_EPERM);
}

static void work(struct explore_actor *self)
{
	for (int i = 0; i < 8; i++) {
		enter(self, explore_below(MUTEXES));
		explore_dawdle(3000);
	}
	tasks_left--;
	/* It stays until its priority has been checked. */
	while (!looked)
		explore_pause(100000);
}

static void disturb(struct explore_actor *self)
{
	while (tasks_left) {
		must(explore_disturb(explore_actor(explore_below(self->number))),
		     "a task that stays has ended");
		explore_check(self);
		explore_pause(5000);
	}
}

EXPLORE(mutex_storm, 1, 3, "mutexes nested and contended, with timeouts, unblocks and moves")
{
	uint32_t tasks = explore_between(2, TASKS);

	for (int m = 0; m < MUTEXES; m++) {
		uint32_t flags = explore_any_flags();

		may_repeat[m] = explore_chance(3);
		if (may_repeat[m])
			flags |= TACT_MUTEX_RECURSIVE;
		must_succeed(tact_mutex_create(NULL, flags, 0, &mutex[m]));
	}
	tasks_left = tasks;
	for (uint32_t i = 0; i < tasks; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), work, i);
	explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturb, tasks);
	while (tasks_left)
		explore_rest();
	explore_rest();
	for (uint32_t i = 0; i < tasks; i++) {
		struct explore_status status;

		must(explore_status(explore_actor(i)->task, &status), "actor %u is on no CPU", i);
		must_equal(status.priority, status.base_priority);
	}
	looked = true;
	explore_join_all();
	for (int m = 0; m < MUTEXES; m++) {
		struct tact_mutex_info info = {0};

		must_succeed(tact_mutex_inquire(mutex[m], &info));
		must_equal(info.owner.id, 0);
		must_equal(info.waiters, 0);
		must_succeed(tact_mutex_delete(mutex[m]));
	}
}
