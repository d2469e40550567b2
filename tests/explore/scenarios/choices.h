/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the scenarios of choices share: numbered messages, each of which must arrive once, and a
 * choice among objects with the unit that ends its actor behind them. */
#ifndef SCENARIOS_CHOICES_H
#define SCENARIOS_CHOICES_H

#include "explore/scenario.h"

#define NUMBERS 400u

static tact_sem_t quit;
static bool out[NUMBERS]; /* sent, but not received */
static uint32_t sent, received;

static inline uint32_t send_number(void)
{
	out[sent] = true;
	return sent++;
}

static inline void got(uint64_t number)
{
	must(number < NUMBERS && out[number], "message %llu was received twice",
	     (unsigned long long)number);
	out[number] = false;
	received++;
}

/* A message that found no room counts as received. */
static inline void not_sent(uint32_t number)
{
	got(number);
}

/* May a wait end so without anything? */
static inline bool nothing(int result)
{
	return result == -TACT_EAGAIN || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED;
}

/* Choose among count objects and, behind them, the unit that ends this actor, with the cookie
 * `last`. item: has room for it. Returns what was taken; NULL: nothing. */
static inline struct tact_wait_item *choose_among(struct explore_actor *self,
						  struct tact_wait_item *item, uint32_t count,
						  uint64_t last, tact_timeout_t timeout,
						  int *result)
{
	struct tact_wait_item *taken;

	item[count] = tact_wait_sem(quit, last);
	*result = tact_wait_any(item, count + 1, timeout, &taken);
	explore_check(self);
	if (taken)
		must(*result >= 0, "a choice of object %u gave %d", (unsigned)taken->cookie,
		     *result);
	else
		must(nothing(*result), "a choice gave %d", *result);
	return taken;
}

/* The actors choose until each has taken a unit of `quit`. */
static inline void let_quit(uint32_t choosers)
{
	for (uint32_t i = 0; i < choosers; i++)
		must_succeed(tact_sem_post(quit));
	explore_join_all();
}

/* Join the actors from `first` on: those that give and take. */
static inline void join_from(uint32_t first)
{
	for (uint32_t i = first; i < explore_actors(); i++)
		explore_join(explore_actor(i));
}

#endif
