/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Linux threads make calls, too: they take and give units, suspend and resume tasks, make and
 * delete objects, become tasks and plain threads again, while tasks of all CPUs do the same.
 */
#include "explore/scenario.h"

static tact_sem_t sem;
static uint32_t given, taken;

static void give_and_take(uint32_t rounds, const struct explore_actor *self)
{
	for (uint32_t i = 0; i < rounds; i++) {
		int result;

		must_succeed(tact_sem_post(sem));
		given++;
		explore_check(self);
		result = tact_sem_wait(sem, tact_in(1 + explore_below(20000)));
		must(!result || result == -TACT_ETIMEDOUT, "wait: %d", result);
		taken += !result;
		explore_check(self);
		explore_dawdle(1000);
	}
}

static void task(struct explore_actor *self)
{
	give_and_take(self->number, self);
}

static void guest(struct explore_actor *self)
{
	struct tact_task_attr attr = {.priority = explore_between(1, 9),
				      .flags = TACT_ON_CPU(explore_any_cpu())};

	give_and_take(2, self);
	must_succeed(tact_task_attach(&attr, &self->task));
	must_equal(tact_mode(), TACT_MODE_PRIMARY);
	explore_check(self);
	give_and_take(self->number, self);
	if (explore_chance(2))
		must_succeed(tact_task_migrate(TACT_SELF, explore_any_cpu()));
	explore_check(self);
	must_succeed(tact_task_detach());
	self->task = (tact_task_t){0};
	must_equal(tact_mode(), TACT_MODE_NONE);
	give_and_take(2, self);
}

static void maker(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		tact_sem_t own;

		must_succeed(tact_sem_create(NULL, 1, 1, explore_any_flags(), &own));
		must_succeed(tact_sem_wait(own, TACT_NOWAIT));
		must_equal(tact_sem_wait(own, tact_in(100)), -TACT_ETIMEDOUT);
		must_succeed(tact_sem_delete(own));
		must_equal(tact_sem_post(own), -TACT_EIDRM);
	}
}

EXPLORE(linux_threads, 1, 3, "Linux threads call in beside tasks, are attached and detached")
{
	struct tact_sem_info info = {0};

	must_succeed(tact_sem_create(NULL, 0, 1000, explore_any_flags(), &sem));
	for (uint32_t i = explore_between(1, 4); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), task,
			     explore_between(1, 8));
	for (uint32_t i = explore_between(1, 3); i; i--)
		explore_thread(explore_chance(2) ? guest : task, explore_between(1, 6));
	explore_thread(maker, explore_between(1, 5));
	explore_join_all();
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.value, given - taken);
	must_equal(info.waiters, 0);
	must_succeed(tact_sem_delete(sem));
}
