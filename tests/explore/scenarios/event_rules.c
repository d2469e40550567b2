/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags with rules, changed by callers and by waiters: a rule ends a wait only if the bits
 * meet it, and nobody waits whose rule is met.
 */
#include "explore/scenario.h"

#define BITS 4u

static tact_event_t event;
static struct tact_event_rule waits_by[EXPLORE_ACTORS];
static bool waits[EXPLORE_ACTORS];
static uint32_t stayers_left;
static bool quit;

static uint64_t some_bits(void)
{
	return 1 + explore_below((1u << BITS) - 1);
}

static struct tact_event_rule any_rule(void)
{
	struct tact_event_rule rule = {
		.size = sizeof(rule),
		.join = explore_below(3),
		.term = {{.bits = some_bits(), .test = explore_below(4)},
			 {.bits = some_bits(), .test = explore_below(4)}},
	};

	if (explore_chance(2))
		rule.then_set = some_bits();
	if (explore_chance(2))
		rule.then_clear = some_bits();
	return rule;
}

/* Written anew, bit by bit, to compare with. */
static bool term_holds(const struct tact_event_term *term, uint64_t bits)
{
	uint32_t set = 0, clear = 0;

	for (uint32_t bit = 0; bit < BITS; bit++) {
		if (!(term->bits >> bit & 1))
			continue;
		if (bits >> bit & 1)
			set++;
		else
			clear++;
	}
	switch (term->test) {
	case TACT_EVENT_ALL_SET:
		return !clear;
	case TACT_EVENT_ANY_SET:
		return set;
	case TACT_EVENT_ALL_CLEAR:
		return !set;
	default:
		return clear;
	}
}

static bool holds(const struct tact_event_rule *rule, uint64_t bits)
{
	const bool first = term_holds(&rule->term[0], bits);
	const bool second = term_holds(&rule->term[1], bits);

	if (rule->join == TACT_EVENT_FIRST)
		return first;
	return rule->join == TACT_EVENT_BOTH ? first && second : first || second;
}

static int wait(struct explore_actor *self, tact_timeout_t timeout)
{
	struct tact_event_rule rule = any_rule();
	uint64_t received = 0;
	int result;

	waits_by[self->index] = rule;
	waits[self->index] = true;
	result = tact_event_wait_rule(event, &rule, timeout, &received);
	waits[self->index] = false;
	explore_check(self);
	if (!result)
		must(holds(&rule, received), "bits %llx do not meet the rule",
		     (unsigned long long)received);
	return result;
}

static void waiter(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		int result = wait(self, explore_chance(4) ? TACT_NOWAIT
							  : tact_in(1 + explore_below(20000)));

		must(!result || result == -TACT_EAGAIN || result == -TACT_ETIMEDOUT ||
			     result == -TACT_ECANCELED,
		     "event_wait_rule: %d", result);
		explore_dawdle(2000);
	}
}

static void stayer(struct explore_actor *self)
{
	while (!quit) {
		int result = wait(self, TACT_FOREVER);

		must(!result || result == -TACT_ECANCELED || (quit && result == -TACT_EIDRM),
		     "event_wait_rule: %d", result);
		/* A rule that is met at once, again and again, lets nobody else run. */
		explore_pause(3000);
	}
	stayers_left--;
}

static void plain_waiter(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		static const uint32_t clears[] = {0, TACT_EVENT_CONSUME, TACT_EVENT_CLEAR_ALL};
		uint64_t bits = some_bits(), received = 0;
		uint32_t how = explore_below(2);
		int result = tact_event_wait(event, bits, how | clears[explore_below(3)],
					     tact_in(1 + explore_below(20000)), &received);

		explore_check(self);
		must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED,
		     "event_wait: %d", result);
		if (!result)
			must(how ? (received & bits) == bits : (received & bits) != 0,
			     "waited for %llx, got %llx", (unsigned long long)bits,
			     (unsigned long long)received);
		explore_dawdle(2000);
	}
}

static int change_somehow(void)
{
	switch (explore_below(4)) {
	case 0:
		return tact_event_set(event, some_bits());
	case 1:
		return tact_event_clear(event, some_bits(), NULL);
	case 2:
		return tact_event_pulse(event, some_bits());
	default:
		return tact_event_change(event, explore_below(1u << BITS),
					 explore_below(1u << BITS), NULL);
	}
}

static void changer(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		int result = change_somehow();

		must(result >= 0, "a change gave %d", result);
		explore_check(self);
		explore_pause(2000);
	}
}

static void disturber(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		const struct explore_actor *other = explore_actor(explore_below(explore_actors()));

		explore_pause(5000);
		if (other->task.id)
			(void)explore_disturb(other);
		explore_check(self);
	}
}

static void spawn(void)
{
	for (uint32_t i = explore_between(0, 3); i; i--)
		(void)explore_anyone(5, waiter, explore_between(2, 8));
	for (uint32_t i = explore_between(0, 2); i; i--)
		(void)explore_anyone(5, plain_waiter, explore_between(2, 8));
	stayers_left = explore_between(1, 6);
	for (uint32_t i = stayers_left; i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), stayer, 0);
	for (uint32_t i = explore_between(1, 3); i; i--)
		(void)explore_anyone(5, changer, explore_between(2, 12));
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturber,
			     6);
}

EXPLORE(event_rules, 1, 3,
	"event flags with rules: a wait ends when, and only when, its rule is met")
{
	struct tact_event_info info = {0};

	must_succeed(tact_event_create(NULL, explore_below(1u << BITS),
				       explore_any_flags() | TACT_EVENT_RULES, &event));
	spawn();
	for (uint32_t i = 0; i < explore_actors(); i++)
		if (explore_actor(i)->body != stayer)
			explore_join(explore_actor(i));
	/* The stayers may keep each other going for good: they end with the next bits. */
	quit = true;
	explore_rest();
	must_succeed(tact_event_inquire(event, &info));
	must_equal(info.waiters, stayers_left);
	for (uint32_t i = 0; i < explore_actors(); i++)
		must(!waits[i] || !holds(&waits_by[i], info.bits),
		     "actor %u waits, and bits %llx meet its rule", i,
		     (unsigned long long)info.bits);
	must_succeed(tact_event_delete(event));
	explore_join_all();
	must_equal(stayers_left, 0);
}
