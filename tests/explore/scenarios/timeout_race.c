/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits whose time runs out, or which a caller breaks with a code, just when the unit comes: each
 * ends once, with one of these, and a unit that comes too late is not lost.
 */
#include "explore/scenario.h"

#define PAUSE_NS 3000u
#define CODES    3u /* with which callers break waits: -TACT_ERROR_MAX and the next ones */

static tact_sem_t sem;
static uint32_t given, taken, takers_left;
static bool was_given[CODES];

static bool is_given_code(int result)
{
	return result < -TACT_ERROR_MAX + (int)CODES && result >= -TACT_ERROR_MAX &&
	       was_given[result + TACT_ERROR_MAX];
}

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
			must(!result || is_given_code(result), "a wait ended with %d", result);
		taken += !result;
	}
	takers_left--;
}

static void break_one(void)
{
	const struct explore_actor *other = explore_actor(explore_below(explore_actors()));
	const uint32_t code = explore_below(CODES);
	int result;

	if (!other->task.id)
		return;
	was_given[code] = true;
	result = tact_task_unblock(other->task, (int)code - TACT_ERROR_MAX);
	must(!result || result == -TACT_ESRCH || result == -TACT_EBUSY || result == -TACT_EIDRM,
	     "unblocking gave %d", result);
}

static void give(struct explore_actor *self)
{
	while (takers_left) {
		must_succeed(tact_sem_post(sem));
		given++;
		if (explore_chance(3))
			break_one();
		explore_check(self);
		explore_pause(PAUSE_NS);
	}
}

EXPLORE(timeout_race, 1, 3,
	"timeouts and breaks race with posts: no unit lost, no wait ended twice")
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
	explore_anyone(4, give, 0);
	explore_join_all();
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.waiters, 0);
	must_equal(info.value, given - taken);
	must_succeed(tact_sem_delete(sem));
}
