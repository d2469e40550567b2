/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers at equal deadlines: tasks of one priority sleep until instants of a coarse grid. They come
 * back in the order of deadlines, at equal deadlines in the order of arming, and never early.
 * Others preempt meanwhile.
 */
#include "explore/scenario.h"

#define STEP_NS 20000u

static uint64_t arms;
static tact_time_t last_deadline;
static uint64_t last_arm;

static uint64_t switches(const struct explore_actor *self)
{
	struct explore_status status;

	must(explore_status(self->task, &status), "no slot for a running task");
	return status.switches;
}

static void sleeper(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		tact_time_t deadline;
		uint64_t arm, before;

		explore_dawdle(STEP_NS);
		/* No task of this CPU comes between counting and arming. */
		must_succeed(tact_task_lock_scheduler());
		self->locked++;
		deadline.ns = (tact_now().ns / STEP_NS + explore_between(1, 4)) * STEP_NS;
		arm = ++arms;
		before = switches(self);
		must_succeed(tact_task_sleep_until(tact_at(deadline)));
		must(tact_now().ns >= deadline.ns, "awake %llu ns early",
		     (unsigned long long)(deadline.ns - tact_now().ns));
		/* If its instant passed before it was armed, it did not sleep. */
		if (switches(self) != before) {
			must(deadline.ns > last_deadline.ns ||
				     (deadline.ns == last_deadline.ns && arm > last_arm),
			     "the timer of %llu ns (armed as %llu) came after that of %llu ns "
			     "(%llu)",
			     (unsigned long long)deadline.ns, (unsigned long long)arm,
			     (unsigned long long)last_deadline.ns, (unsigned long long)last_arm);
			last_deadline = deadline;
			last_arm = arm;
		}
		self->locked--;
		must_succeed(tact_task_unlock_scheduler());
		explore_check(self);
	}
}

static void disturber(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		must_succeed(tact_task_sleep(1 + explore_below(2 * STEP_NS)));
		explore_check(self);
		tact_compute(explore_below(STEP_NS));
	}
}

EXPLORE(timers_equal, 1, 1, "timers at equal deadlines expire in the order of arming")
{
	uint32_t sleepers = explore_between(2, 8);

	for (uint32_t i = 0; i < sleepers; i++)
		explore_task(EXPLORE_EITHER, 0, 10, sleeper, explore_between(2, 8));
	for (uint32_t i = explore_below(3); i; i--)
		explore_task(EXPLORE_EITHER, 0, explore_between(5, 20), disturber, 8);
}
