/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits whose time runs out just when the unit comes: each ends once, with the one or the other,
 * and a unit that comes too late is not lost.
 */
#include "explore.h"

#define PAUSE_NS 3000u

static tact_sem_t sem;
static uint32_t given, taken, takers_left;

static void take(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		uint32_t patience_ns = explore_between(1, 2 * PAUSE_NS);
		tact_time_t start = tact_now();
		int result;

		if (explore_chance(2))
			result = tact_sem_wait(sem, tact_in(patience_ns));
		else
			result = tact_sem_wait(sem, tact_at(tact_time_add(start, patience_ns)));
		explore_check(self);
		if (result == -TACT_ETIMEDOUT)
			must(tact_now().ns >= start.ns + patience_ns, "timed out early");
		else
			must_succeed(result);
		taken += !result;
	}
	takers_left--;
}

static void give(struct explore_actor *self)
{
	while (takers_left) {
		must_succeed(tact_sem_post(sem));
		given++;
		explore_check(self);
		explore_pause(PAUSE_NS);
	}
}

EXPLORE(timeout_race, 1, 3, "timeouts race with posts: no unit lost, no wait ended twice")
{
	struct tact_sem_info info = {0};
	uint32_t takers = explore_between(1, 5);

	must_succeed(tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, explore_any_flags(), &sem));
	takers_left = takers;
	for (uint32_t i = 0; i < takers; i++) {
		if (explore_chance(5))
			explore_thread(take, explore_between(2, 10));
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), take,
				     explore_between(2, 10));
	}
	if (explore_chance(4))
		explore_thread(give, 0);
	else
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), give, 0);
	explore_join_all();
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.waiters, 0);
	must_equal(info.value, given - taken);
	must_succeed(tact_sem_delete(sem));
}
