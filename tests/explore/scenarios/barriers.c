/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Barriers: no task passes before all of its round have come, one of each round is told that it
 * opened the barrier, and a new round begins while tasks of the last one still leave.
 */
#include "explore/scenario.h"

#define ROUNDS 6

static tact_barrier_t barrier;
static uint32_t members, arrived[ROUNDS], openers[ROUNDS];

static void member(struct explore_actor *self)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int result;

		explore_dawdle(2000);
		arrived[round]++;
		/* A task that gives up comes back: it has not been counted. */
		do {
			result = tact_barrier_wait(barrier, explore_chance(4)
								    ? tact_in(explore_below(5000))
								    : TACT_FOREVER);
			explore_check(self);
			must(result == 0 || result == 1 || result == -TACT_ETIMEDOUT ||
				     result == -TACT_ECANCELED,
			     "barrier_wait: %d", result);
		} while (result < 0);
		must(arrived[round] == members, "passed with %u of %u", arrived[round], members);
		openers[round] += (uint32_t)result;
	}
}

static void disturb(struct explore_actor *self)
{
	while (arrived[ROUNDS - 1] < members) {
		int result = tact_barrier_flush(barrier);

		must(result >= 0 && result < (int)members, "flush: %d", result);
		explore_check(self);
		/* Sometimes long enough for a round. */
		explore_pause(400000);
	}
}

EXPLORE(barriers, 1, 3, "barriers open for whole rounds only")
{
	struct tact_barrier_info info = {0};

	members = explore_between(2, 6);
	must_succeed(tact_barrier_create(NULL, members, explore_any_flags(), &barrier));
	for (uint32_t i = 0; i < members; i++)
		explore_anyone(5, member, 0);
	if (explore_chance(4))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), disturb, 0);
	explore_join_all();
	for (int i = 0; i < ROUNDS; i++)
		must_equal(openers[i], 1);
	must_succeed(tact_barrier_inquire(barrier, &info));
	must_equal(info.rounds, ROUNDS);
	must_equal(info.waiters, 0);
	must_succeed(tact_barrier_delete(barrier));
}
