/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words of the program, for which tasks, handlers and Linux threads of all CPUs wait: each value is
 * received once, at the word to which it was posted, or is still there; and nobody waits for a word
 * that has a value.
 */
#include "explore/scenario.h"

#define WORDS  3u
#define VALUES 400u

/* By the places in aligned memory, the first two words are in one row. */
static _Alignas(32768) uintptr_t memory[66];
static uintptr_t *const words[WORDS] = {&memory[0], &memory[65], &memory[1]};
static uint32_t home[WORDS];
static bool out[VALUES]; /* posted and not received yet */
static uint32_t made, taken, deleted;
static uint32_t waits_for[EXPLORE_ACTORS]; /* the number of a word and 1 */
static bool quit;
static uint32_t stayers_left;
static tact_timer_t timer;

/* A value tells its number and its word. */
static int post(uint32_t word)
{
	uint32_t number = made;
	int result;

	must(number < VALUES, "the scenario makes too many values");
	/* Before the call: the value may be received before it returns. */
	made++;
	out[number] = true;
	result = tact_word_post(home[word], words[word], number * WORDS + word + WORDS);
	if (result == -TACT_ENOSPC)
		out[number] = false;
	else
		must_equal(result, 0);
	return result;
}

static void got(uint32_t word, uintptr_t value)
{
	const uint32_t number = (uint32_t)value / WORDS - 1;

	must_equal(value % WORDS, word);
	must(number < made && out[number], "value %u was received twice", number);
	out[number] = false;
	taken++;
}

static int pend(struct explore_actor *self, uint32_t word, tact_timeout_t timeout)
{
	uintptr_t value = 0;
	int result;

	waits_for[self->index] = word + 1;
	result = tact_word_pend(home[word], words[word], &value, timeout);
	waits_for[self->index] = 0;
	if (!result)
		got(word, value);
	explore_check(self);
	return result;
}

static void poster(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		(void)post(explore_below(WORDS));
		explore_check(self);
		explore_pause(2000);
	}
}

static void taker(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		tact_timeout_t timeout =
			explore_chance(4) ? TACT_NOWAIT : tact_in(1 + explore_below(20000));
		int result = pend(self, explore_below(WORDS), timeout);

		must(!result || result == -TACT_EAGAIN || result == -TACT_ETIMEDOUT ||
			     result == -TACT_ECANCELED,
		     "word_pend: %d", result);
		explore_dawdle(2000);
	}
}

/* It waits without a limit, and may be deleted meanwhile. */
static void stayer(struct explore_actor *self)
{
	while (!quit) {
		int result = pend(self, explore_below(WORDS), TACT_FOREVER);

		must(!result || result == -TACT_ECANCELED, "word_pend: %d", result);
		explore_dawdle(2000);
	}
	stayers_left--;
}

static void deleter(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		struct explore_actor *other = explore_actor(explore_below(explore_actors()));

		explore_pause(6000);
		if (other->body != stayer || !other->task.id || other->joined)
			continue;
		if (!explore_chance(3)) {
			(void)explore_disturb(other);
			continue;
		}
		must_succeed(tact_task_delete(other->task));
		waits_for[other->index] = 0;
		explore_forget(other);
		stayers_left--;
		deleted++;
	}
}

/* On the home of the first word. */
static void in_handler(void *unused)
{
	uintptr_t value;

	(void)unused;
	if (explore_chance(2)) {
		(void)post(0);
	} else {
		int result = tact_word_pend(home[0], words[0], &value, TACT_NOWAIT);

		if (!result)
			got(0, value);
		else
			must_equal(result, -TACT_EAGAIN);
	}
}

static void spawn(void)
{
	for (uint32_t i = explore_between(0, 3); i; i--)
		(void)explore_anyone(5, taker, explore_between(2, 8));
	stayers_left = explore_between(1, 5);
	for (uint32_t i = stayers_left; i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), stayer, 0);
	for (uint32_t i = explore_between(1, 3); i; i--)
		(void)explore_anyone(5, poster, explore_between(2, 12));
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), deleter, 6);
}

static void expect_no_idle_value(void)
{
	for (uint32_t word = 0; word < WORDS; word++)
		for (uint32_t i = 0; i < explore_actors(); i++)
			must(!*words[word] || waits_for[i] != word + 1,
			     "actor %u waits for word %u, which has a value", i, word);
}

EXPLORE(words, 1, 3, "values posted to words: each received once, at its word, by a waiter")
{
	uint32_t left = 0;

	for (uint32_t word = 0; word < WORDS; word++)
		home[word] = explore_any_cpu();
	if (explore_chance(2)) {
		/* The program presets a word. */
		out[made] = true;
		*words[1] = made++ * WORDS + 1 + WORDS;
	}
	must_succeed(tact_timer_create(NULL, in_handler, NULL, TACT_ON_CPU(home[0]), &timer));
	spawn();
	must_succeed(tact_timer_start(timer, tact_in(1 + explore_below(5000)),
				      3000 + explore_below(20000)));
	for (uint32_t i = 0; i < explore_actors(); i++)
		if (explore_actor(i)->body != stayer)
			explore_join(explore_actor(i));
	must_succeed(tact_timer_stop(timer));
	explore_rest();
	expect_no_idle_value();
	quit = true;
	while (stayers_left) {
		for (uint32_t word = 0; word < WORDS; word++)
			(void)post(word);
		explore_rest();
	}
	explore_join_all();
	must_succeed(tact_timer_delete(timer));
	for (uint32_t i = 0; i < made; i++)
		left += out[i];
	for (uint32_t word = 0; word < WORDS; word++) {
		if (!*words[word])
			continue;
		got(word, *words[word]);
		left--;
	}
	/* A value that was given to a waiter is lost with it. */
	must(left <= deleted, "%u values were lost with %u deleted waiters", left, deleted);
}
