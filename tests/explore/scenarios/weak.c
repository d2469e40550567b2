/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Weak tasks exchange units and a mutex with real-time ones: in primary mode no weak task runs
 * beside a ready real-time task that does not wait for it, full ones are back in secondary mode
 * after each call unless they own something, and no unit is lost.
 */
#include "explore/scenario.h"

#define STEPS 12

static tact_sem_t sem;
static tact_mutex_t mutex;
static const struct explore_actor *owner;
static uint32_t given, taken;

static void give_or_take(void)
{
	int result;

	if (explore_chance(2)) {
		must_succeed(tact_sem_post(sem));
		given++;
		return;
	}
	result = tact_sem_wait(sem, tact_in(1 + explore_below(20000)));
	must(!result || result == -TACT_ETIMEDOUT, "wait: %d", result);
	taken += !result;
}

static void own(struct explore_actor *self)
{
	must_succeed(tact_mutex_lock(mutex, TACT_FOREVER));
	must(!owner, "two tasks own the mutex");
	owner = self;
	must_equal(tact_mode(), TACT_MODE_PRIMARY);
	tact_compute(explore_below(3000));
	explore_check(self);
	owner = NULL;
	must_succeed(tact_mutex_unlock(mutex));
}

static void check_weak(const struct explore_actor *self, bool light)
{
	struct explore_status status;

	explore_check(self);
	must_equal(tact_mode(), light ? TACT_MODE_PRIMARY : TACT_MODE_SECONDARY);
	/* It owns nothing: no task lends it a priority. */
	must(!explore_status(self->task, &status) || !status.priority,
	     "weak actor %u has priority %u", self->index, status.priority);
}

static void be_weak(struct explore_actor *self)
{
	const struct tact_sched_param sched = {.sched_class = TACT_SCHED_WEAK};
	const bool light = self->number;

	must_succeed(tact_task_set_sched(TACT_SELF, &sched));
	for (int i = 0; i < STEPS; i++) {
		check_weak(self, light);
		switch (explore_below(4)) {
		case 0:
			own(self);
			break;
		case 1:
			must_succeed(tact_task_sleep(1 + explore_below(10000)));
			break;
		case 2:
			tact_compute(explore_below(5000));
			break;
		default:
			give_or_take();
		}
	}
	check_weak(self, light);
}

static void be_strong(struct explore_actor *self)
{
	for (int i = 0; i < STEPS; i++) {
		if (explore_chance(3))
			own(self);
		else
			give_or_take();
		explore_check(self);
		explore_dawdle(5000);
	}
}

EXPLORE(weak, 1, 3, "weak tasks run below all others, and go back to Linux after each call")
{
	struct tact_sem_info info = {0};

	must_succeed(tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, explore_any_flags(), &sem));
	must_succeed(
		tact_mutex_create(NULL, TACT_PRIO | TACT_ON_CPU(explore_any_cpu()), 0, &mutex));
	for (uint32_t i = explore_between(1, 4); i; i--) {
		bool light = explore_chance(2);

		explore_task(light ? EXPLORE_LIGHT : EXPLORE_FULL, explore_any_cpu(),
			     explore_between(1, 9), be_weak, light);
	}
	for (uint32_t i = explore_between(1, 4); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), be_strong,
			     0);
	explore_join_all();
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.value, given - taken);
	must_succeed(tact_sem_delete(sem));
	must_succeed(tact_mutex_delete(mutex));
}
