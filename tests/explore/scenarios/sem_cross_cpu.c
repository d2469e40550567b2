/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Posts and waits from everywhere: each unit that was given is taken once, or is still there.
 */
#include "explore/scenario.h"

static tact_sem_t sem;
static uint32_t given, taken, takers;

static void give(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		explore_dawdle(3000);
		must_succeed(tact_sem_post(sem));
		given++;
		explore_check(self);
	}
}

static void take(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		must_succeed(tact_sem_wait(sem, TACT_FOREVER));
		taken++;
		explore_check(self);
		explore_dawdle(2000);
	}
}

static void inquire(struct explore_actor *self)
{
	struct tact_sem_info info = {0};

	for (uint32_t i = 0; i < self->number; i++) {
		must_succeed(tact_sem_inquire(sem, &info));
		must(!info.value || !info.waiters, "%u wait while %u units are there", info.waiters,
		     info.value);
		must(info.waiters <= takers, "%u wait, only %u can", info.waiters, takers);
		explore_check(self);
		explore_dawdle(2000);
	}
}

EXPLORE(sem_cross_cpu, 1, 3, "units of a semaphore given and taken on several CPUs and by Linux")
{
	uint32_t wanted = 0;
	struct tact_sem_info info = {0};

	must_succeed(tact_sem_create(NULL, 0, 1000, explore_any_flags(), &sem));
	takers = explore_between(1, 5);
	for (uint32_t i = 0; i < takers; i++) {
		uint32_t rounds = explore_between(1, 12);

		wanted += rounds;
		explore_anyone(4, take, rounds);
	}
	explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), inquire, 8);
	while (wanted) {
		uint32_t rounds = explore_between(1, wanted);

		wanted -= rounds;
		if (explore_actors() == EXPLORE_ACTORS - 1)
			rounds += wanted, wanted = 0;
		explore_anyone(4, give, rounds);
	}
	explore_join_all();
	must_equal(taken, given);
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.value, 0);
	must_succeed(tact_sem_delete(sem));
}
