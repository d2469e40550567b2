/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Suspensions are counted, and hold: a suspended task makes no step until the suspender resumes it,
 * whatever other tasks do to it meanwhile. With one suspender, one that is not counted holds as
 * well, and one call undoes as many as there are.
 */
#include "explore/scenario.h"

static tact_sem_t sem;
static uint32_t storms_left;
static bool alone; /* one suspender: it knows the count */

static void victim(struct explore_actor *self)
{
	while (storms_left) {
		int result = 0;

		self->progress++;
		switch (explore_below(4)) {
		case 0:
			result = tact_sem_wait(sem, tact_in(1 + explore_below(2000)));
			break;
		case 1:
			result = tact_task_sleep(1 + explore_below(2000));
			break;
		case 2:
			tact_compute(explore_below(1000));
			break;
		default:
			result = tact_task_yield();
		}
		must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED,
		     "a victim's call gave %d", result);
		self->progress++;
		explore_check(self);
		/* Otherwise nothing would happen but this task polling the clock. */
		tact_compute(200);
	}
}

static void hold(struct explore_actor *self, const struct explore_actor *other)
{
	uint32_t times = explore_between(1, 3);
	uint64_t seen;

	for (uint32_t i = 0; i < times; i++)
		must_succeed(tact_task_suspend(other->task));
	seen = other->progress;
	explore_check(self);
	must_succeed(tact_task_sleep(1 + explore_below(5000)));
	for (uint32_t i = 0; i < times; i++) {
		must(other->progress == seen, "a suspended task continued");
		must_succeed(tact_task_resume(other->task));
		explore_check(self);
		if (i + 1 < times && explore_chance(2))
			tact_compute(explore_below(2000));
	}
}

/* The same by suspensions that are not counted, among counted ones, and one call that ends all. */
static void hold_once(struct explore_actor *self, const struct explore_actor *other)
{
	uint32_t times = 0;
	uint64_t seen;

	for (uint32_t i = explore_between(1, 3); i; i--) {
		if (explore_chance(2)) {
			must_equal(tact_task_suspend_once(other->task), times ? 1 : 0);
			times += !times;
		} else {
			must_succeed(tact_task_suspend(other->task));
			times++;
		}
	}
	seen = other->progress;
	explore_check(self);
	must_succeed(tact_task_sleep(1 + explore_below(5000)));
	must(other->progress == seen, "a suspended task continued");
	must_equal(tact_task_resume_all(other->task), times);
	explore_check(self);
	/* Only the caller suspends. */
	must_equal(tact_task_resume_all(other->task), 0);
}

static void storm(struct explore_actor *self)
{
	uint32_t victims = self->number;

	for (uint32_t i = 0; i < 10; i++) {
		const struct explore_actor *other = explore_actor(explore_below(victims));
		int result = 0;

		switch (explore_below(6)) {
		case 0:
			result = tact_task_unblock(other->task, 0);
			break;
		case 1:
			result =
				tact_task_set_priority(other->task, explore_between(1, 9), 0, NULL);
			break;
		case 2:
			result = tact_task_migrate(other->task, explore_any_cpu());
			break;
		default:
			if (alone && explore_chance(2))
				hold_once(self, other);
			else
				hold(self, other);
		}
		must(!result || result == -TACT_ESRCH, "a storm's call gave %d", result);
		explore_check(self);
		explore_dawdle(2000);
	}
	storms_left--;
}

EXPLORE(suspend_storm, 1, 3, "suspend, resume, unblock, priorities and moves upon the same tasks")
{
	uint32_t victims = explore_between(1, 5);
	uint32_t storms = explore_between(1, 3);

	must_succeed(tact_sem_create(NULL, 1, 10, explore_any_flags(), &sem));
	storms_left = storms;
	alone = storms == 1;
	for (uint32_t i = 0; i < victims; i++)
		explore_task(EXPLORE_LIGHT, explore_any_cpu(), explore_between(1, 9), victim, 0);
	for (uint32_t i = 0; i < storms; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(10, 12), storm,
			     victims);
	explore_rest();
	for (uint32_t i = victims; i < explore_actors(); i++)
		explore_join(explore_actor(i));
	for (uint32_t i = 0; i < victims; i++) {
		const struct explore_actor *actor = explore_actor(i);
		struct tact_task_info info = {0};
		int result = tact_task_inquire(actor->task, &info);

		must(!result || result == -TACT_EBUSY, "inquire: %d", result);
		if (!result)
			must_equal(info.suspend_count, 0);
	}
	explore_join_all();
	must_succeed(tact_sem_delete(sem));
}
