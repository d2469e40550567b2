/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletion of every object that can be waited for, with waiters: each waiter, wherever it is, is
 * told, and none remains.
 */
#include "waitable.h"

static const struct waitable *kind;
static tact_object_t object;
static uint32_t learned;

static void waiter(struct explore_actor *self)
{
	int result;

	explore_dawdle(3000);
	do {
		tact_timeout_t timeout = TACT_FOREVER;

		if (explore_chance(4))
			timeout = tact_in(1 + explore_below(5000));
		result = kind->wait(object, timeout);
		explore_check(self);
		must(result == -TACT_EIDRM || result == -TACT_ETIMEDOUT ||
			     result == -TACT_ECANCELED,
		     "waiting for a %s that is deleted gave %d", kind->name, result);
	} while (result != -TACT_EIDRM);
	learned++;
	/* An actor that first takes a mutex may be unblocked in that wait. */
	do
		result = kind->wait(object, TACT_NOWAIT);
	while (result == -TACT_ECANCELED);
	must_equal(result, -TACT_EIDRM);
}

static void deleter(struct explore_actor *self)
{
	explore_dawdle(6000);
	must_succeed(tact_delete(object));
	explore_check(self);
	must_equal(tact_delete(object), -TACT_EIDRM);
}

static void disturber(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		const struct explore_actor *other = explore_actor(explore_below(explore_actors()));

		explore_dawdle(2000);
		if (other->body != waiter || !other->task.id)
			continue;
		(void)explore_disturb(other);
		explore_check(self);
	}
}

EXPLORE(deletion, 1, 3, "objects of all types deleted under waiters on several CPUs")
{
	uint32_t waiters = explore_between(1, 8);

	kind = &waitables[explore_below(waitable_count)];
	object = kind->create(explore_any_flags());
	for (uint32_t i = 0; i < waiters; i++) {
		if (kind->from_linux && explore_chance(5))
			explore_thread(waiter, i);
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9),
				     waiter, i);
	}
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturber,
			     8);
	if (explore_chance(2))
		explore_rest();
	if (explore_chance(4))
		explore_thread(deleter, 0);
	else
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), deleter, 0);
	explore_join_all();
	must_equal(learned, waiters);
	if (kind->clean_up)
		kind->clean_up();
}
