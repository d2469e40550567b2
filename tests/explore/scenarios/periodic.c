/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Periodic releases under load: each lies on its grid, none comes early, none is reported twice,
 * and each missed one is counted.
 */
#include "explore/scenario.h"

static uint32_t tasks_left;

static void periodic(struct explore_actor *self)
{
	uint64_t period_ns = explore_between(2000, 20000);
	tact_time_t first = tact_time_add(tact_now(), 100 * EXPLORE_MS);
	uint64_t releases = 0;

	must_succeed(tact_task_set_periodic(TACT_SELF, first, period_ns));
	for (uint32_t i = 0; i < self->number; i++) {
		uint64_t overruns = 0;
		tact_time_t release = {0};
		int result = tact_task_wait_period(&overruns, &release);

		explore_check(self);
		/* Broken off before its release, which is still to come. */
		if (result == -TACT_ECANCELED)
			continue;
		must(result == 0 || result == -TACT_ETIMEDOUT, "wait_period: %d", result);
		must_equal(result == 0, overruns == 0);
		must(tact_now().ns >= release.ns, "released %llu ns early",
		     (unsigned long long)(release.ns - tact_now().ns));
		releases += overruns ? overruns : 1;
		must_equal(release.ns, first.ns + (releases - 1) * period_ns);
		if (explore_chance(3))
			tact_compute(explore_below(30000));
	}
	must_succeed(tact_task_set_periodic(TACT_SELF, first, 0));
	must_equal(tact_task_wait_period(NULL, NULL), -TACT_ESRCH);
	tasks_left--;
}

static void disturber(struct explore_actor *self)
{
	while (tasks_left) {
		const struct explore_actor *other = explore_actor(explore_below(self->number));
		int result = explore_chance(2) ? tact_task_unblock(other->task, 0)
					       : tact_task_migrate(other->task, explore_any_cpu());

		must(!result || result == -TACT_ESRCH || result == -TACT_EBUSY ||
			     result == -TACT_EIDRM,
		     "disturbing a periodic task gave %d", result);
		explore_check(self);
		tact_compute(explore_below(1000));
		must_succeed(tact_task_sleep(1 + explore_below(100000)));
	}
}

EXPLORE(periodic, 1, 3, "periodic releases on their grid, with every overrun counted")
{
	uint32_t tasks = explore_between(1, 5);

	tasks_left = tasks;
	for (uint32_t i = 0; i < tasks; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), periodic,
			     explore_between(5, 20));
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), disturber,
			     tasks);
}
