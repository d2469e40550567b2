/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The order of service: waiters queue one by one, change their priorities, and are unblocked; then
 * each unit goes to exactly the waiter that a model names.
 */
#include "explore/scenario.h"

#define WAITERS 8

struct waiter {
	struct explore_actor *actor;
	uint32_t priority;
	uint32_t arrived; /* 0: it does not wait */
	int result;
};

static tact_sem_t sem;
static bool by_priority;
static struct waiter waiter[WAITERS];
static uint32_t waiters, arrivals;

static void wait_once(struct explore_actor *self)
{
	struct waiter *me = &waiter[self->number];

	me->arrived = ++arrivals;
	me->result = tact_sem_wait(sem, TACT_FOREVER);
	me->arrived = 0;
	explore_check(self);
}

static bool before(const struct waiter *a, const struct waiter *b)
{
	if (by_priority && a->priority != b->priority)
		return a->priority > b->priority;
	return a->arrived < b->arrived;
}

static struct waiter *next(void)
{
	struct waiter *best = NULL;

	for (uint32_t i = 0; i < waiters; i++)
		if (waiter[i].arrived && (!best || before(&waiter[i], best)))
			best = &waiter[i];
	return best;
}

static void disturb(struct waiter *one)
{
	uint32_t priority = explore_between(1, 4);

	if (explore_chance(3)) {
		must_succeed(tact_task_unblock(one->actor->task, 0));
		explore_rest();
		must_equal(one->arrived, 0);
		must_equal(one->result, -TACT_ECANCELED);
		return;
	}
	must_succeed(tact_task_set_priority(one->actor->task, priority, 0, NULL));
	explore_rest();
	must(one->arrived, "a new priority ended the wait");
	/* With a new priority it goes behind the waiters that already have it. */
	if (by_priority && priority != one->priority)
		one->arrived = ++arrivals;
	one->priority = priority;
}

EXPLORE(wait_order, 1, 3, "waiters are served in their order, by arrival or by priority")
{
	uint32_t flags = explore_any_flags();
	struct waiter *first;

	by_priority = flags & TACT_PRIO;
	waiters = explore_between(2, WAITERS);
	must_succeed(tact_sem_create(NULL, 0, 100, flags, &sem));
	for (uint32_t i = 0; i < waiters; i++) {
		waiter[i].priority = explore_between(1, 4);
		waiter[i].actor = explore_task(EXPLORE_EITHER, explore_any_cpu(),
					       waiter[i].priority, wait_once, i);
		explore_rest();
		must(explore_waits(waiter[i].actor->task, tact_object(sem)),
		     "waiter %u does not wait", i);
	}
	for (uint32_t i = explore_below(6); i; i--) {
		struct waiter *one = &waiter[explore_below(waiters)];

		if (one->arrived)
			disturb(one);
	}
	while ((first = next())) {
		must_succeed(tact_sem_post(sem));
		explore_rest();
		must(!first->arrived, "the unit did not go to waiter %u", first->actor->number);
		must_equal(first->result, 0);
	}
	explore_join_all();
	must_succeed(tact_sem_delete(sem));
}
