/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags that are consumed: each setting of a bit reaches one waiter or is still there, and a
 * waiter for several bits gets them all at once.
 */
#include "explore/scenario.h"

#define BITS 6

static tact_event_t event;
static bool out[BITS]; /* set, but not consumed yet */
static uint32_t sets, takes, takers_left;

static void set(struct explore_actor *self)
{
	while (takers_left) {
		uint32_t bit = explore_below(BITS);

		if (!out[bit]) {
			int result;

			out[bit] = true;
			sets++;
			result = tact_event_set(event, 1ull << bit);
			must(result >= 0, "event_set: %d", result);
		}
		explore_check(self);
		explore_pause(2000);
	}
}

static void take(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		uint64_t bits = 1 + explore_below((1u << BITS) - 1), got = 0;
		uint32_t how = explore_chance(2) ? TACT_EVENT_ALL : TACT_EVENT_ANY;
		int result = tact_event_wait(event, bits, how | TACT_EVENT_CONSUME,
					     tact_in(1 + explore_below(30000)), &got);

		explore_check(self);
		if (result) {
			must(result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED,
			     "event_wait: %d", result);
			continue;
		}
		got &= bits;
		must(got && (how == TACT_EVENT_ANY || got == bits), "waited for %llx, got %llx",
		     (unsigned long long)bits, (unsigned long long)got);
		for (uint32_t bit = 0; bit < BITS; bit++) {
			if (!(got >> bit & 1))
				continue;
			must(out[bit], "bit %u was consumed twice", bit);
			out[bit] = false;
			takes++;
		}
		explore_dawdle(1000);
	}
	takers_left--;
}

EXPLORE(event_flags, 1, 3, "event flags set and consumed: each setting once")
{
	uint32_t takers = explore_between(1, 5);
	struct tact_event_info info = {0};
	uint32_t left = 0;

	must_succeed(tact_event_create(NULL, 0, explore_any_flags(), &event));
	takers_left = takers;
	for (uint32_t i = 0; i < takers; i++) {
		if (explore_chance(5))
			explore_thread(take, explore_between(2, 10));
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), take,
				     explore_between(2, 10));
	}
	for (uint32_t i = explore_between(1, 2); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), set, 0);
	explore_join_all();
	must_succeed(tact_event_inquire(event, &info));
	must_equal(info.waiters, 0);
	for (uint32_t bit = 0; bit < BITS; bit++) {
		must_equal(info.bits >> bit & 1, out[bit]);
		left += out[bit];
	}
	must_equal(takes + left, sets);
	must_succeed(tact_event_delete(event));
}
