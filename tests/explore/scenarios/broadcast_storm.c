/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Broadcasts, flushes, posts and unblocks end waits of the same tasks: the numbers that they report
 * are those that the waiters saw.
 */
#include "explore/scenario.h"

static tact_sem_t sem;
static uint32_t released, broken, waits_left;
static uint32_t saw_release, saw_break;

static void waiter(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		int result = tact_sem_wait(sem, TACT_FOREVER);

		explore_check(self);
		must(!result || result == -TACT_ECANCELED, "a wait ended with %d", result);
		if (result)
			saw_break++;
		else
			saw_release++;
		explore_dawdle(500);
	}
	waits_left--;
}

static void storm(struct explore_actor *self)
{
	while (waits_left) {
		uint32_t dice = explore_below(4);
		int result;

		if (dice == 0) {
			result = tact_sem_broadcast(sem);
			must(result >= 0, "broadcast: %d", result);
			released += (uint32_t)result;
		} else if (dice == 1) {
			result = tact_sem_flush(sem);
			must(result >= 0, "flush: %d", result);
			broken += (uint32_t)result;
		} else if (dice == 2) {
			must_succeed(tact_sem_post(sem));
			released++;
		} else {
			const struct explore_actor *other =
				explore_actor(explore_below(explore_actors()));

			if (other->body == waiter && other->task.id && other != self) {
				result = tact_task_unblock(other->task, 0);
				must(!result || result == -TACT_ESRCH || result == -TACT_EBUSY ||
					     result == -TACT_EIDRM,
				     "unblock: %d", result);
			}
		}
		explore_check(self);
		explore_pause(3000);
	}
}

EXPLORE(broadcast_storm, 1, 3, "broadcast, flush, post and unblock upon the same waiters")
{
	uint32_t waiters = explore_between(1, 8);
	struct tact_sem_info info = {0};

	must_succeed(tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, explore_any_flags(), &sem));
	waits_left = waiters;
	for (uint32_t i = 0; i < waiters; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), waiter,
			     explore_between(1, 6));
	explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), storm, 0);
	if (explore_chance(2))
		explore_thread(storm, 0);
	explore_join_all();
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.waiters, 0);
	must_equal(saw_release + info.value, released);
	/* Unblocked waits end as flushed ones do, and unblocks are not counted. */
	must(saw_break >= broken, "%u waits were flushed, %u waiters saw it", broken, saw_break);
	must_succeed(tact_sem_delete(sem));
}
