/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Producers and consumers over a bounded buffer with a mutex and two conditions: nothing is lost or
 * taken twice, and only the owner of the mutex is inside, even if waits time out or are broken.
 */
#include "explore/scenario.h"

#define CAPACITY 3

static tact_mutex_t mutex;
static tact_cond_t filled, emptied;
static uint32_t buffer[CAPACITY], used;
static uint64_t put_sum, got_sum;
static uint32_t puts_left, gets_left, actors_left;
static const struct explore_actor *inside;

static void enter(const struct explore_actor *self)
{
	int result;

	/* An unblock may also end this wait. */
	do
		result = tact_mutex_lock(mutex, TACT_FOREVER);
	while (result == -TACT_ECANCELED);
	must_succeed(result);
	must(!inside, "two are inside");
	inside = self;
	explore_check(self);
}

static void leave(const struct explore_actor *self)
{
	must(inside == self, "another actor came in");
	inside = NULL;
	must_succeed(tact_mutex_unlock(mutex));
	explore_check(self);
}

static void wait(const struct explore_actor *self, tact_cond_t cond)
{
	tact_timeout_t timeout = TACT_FOREVER;
	int result;

	if (explore_chance(4))
		timeout = tact_in(explore_between(1, 30000));
	inside = NULL;
	result = tact_cond_wait(cond, mutex, timeout);
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED, "cond_wait: %d",
	     result);
	must(!inside, "back from the wait while another one is inside");
	inside = self;
	explore_check(self);
}

static void notify(tact_cond_t cond)
{
	if (explore_chance(3)) {
		int result = tact_cond_broadcast(cond);

		must(result >= 0, "broadcast: %d", result);
	} else {
		must_succeed(tact_cond_signal(cond));
	}
}

static void produce(struct explore_actor *self)
{
	for (;;) {
		enter(self);
		while (puts_left && used == CAPACITY)
			wait(self, emptied);
		if (!puts_left)
			break;
		buffer[used] = puts_left--;
		put_sum += buffer[used++];
		notify(filled);
		leave(self);
		explore_dawdle(1000);
	}
	/* Let the others see that it is over. */
	(void)tact_cond_broadcast(emptied);
	leave(self);
	actors_left--;
}

static void consume(struct explore_actor *self)
{
	for (;;) {
		enter(self);
		while (gets_left && !used)
			wait(self, filled);
		if (!gets_left)
			break;
		gets_left--;
		got_sum += buffer[--used];
		notify(emptied);
		leave(self);
		explore_dawdle(1000);
	}
	(void)tact_cond_broadcast(filled);
	leave(self);
	actors_left--;
}

static void disturb(struct explore_actor *self)
{
	while (actors_left)
		explore_jostle(self);
}

EXPLORE(condition, 1, 3, "producers and consumers over a mutex and two conditions")
{
	uint32_t home = TACT_ON_CPU(explore_any_cpu());
	bool disturbed = explore_chance(3);
	uint32_t total = explore_between(2, 20);
	uint32_t producers = explore_between(1, 3), consumers = explore_between(1, 3);

	must_succeed(tact_mutex_create(NULL, home | (explore_chance(2) ? TACT_PRIO : TACT_FIFO), 0,
				       &mutex));
	must_succeed(tact_cond_create(NULL, home | (explore_chance(2) ? TACT_PRIO : TACT_FIFO),
				      &filled));
	must_succeed(tact_cond_create(NULL, home | (explore_chance(2) ? TACT_PRIO : TACT_FIFO),
				      &emptied));
	puts_left = gets_left = total;
	actors_left = producers + consumers;
	for (; producers; producers--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), produce, 0);
	for (; consumers; consumers--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), consume, 0);
	if (disturbed)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturb, 0);
	explore_join_all();
	must_equal(got_sum, put_sum);
	must_equal(used, 0);
	must_succeed(tact_cond_delete(filled));
	must_succeed(tact_cond_delete(emptied));
	must_succeed(tact_mutex_delete(mutex));
}
