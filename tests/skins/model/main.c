/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs of a skin against its model. TACTUS_MODEL=FIRST:COUNT runs the programs of these
 * seeds in place of the usual ones. A failure names the seed and the first note that differs.
 */
#include "model.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define PROGRAMS 3000

struct program program;
static struct notes expected;
static struct notes actual;

static uint64_t state;

static unsigned draw(unsigned below)
{
	uint64_t mixed = state += 0x9e3779b97f4a7c15;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
	return (unsigned)((mixed ^ mixed >> 31) >> 32) % below;
}

static void draw_program(uint64_t seed)
{
	unsigned ops = 0;

	while (skin.ops[ops])
		ops++;
	state = seed;
	program.seed = seed;
	program.actors = 2 + draw(ACTORS - 1);
	for (unsigned i = 0; i < OBJECTS; i++)
		program.how[i] = draw(256);
	for (unsigned i = 0; i < program.actors; i++) {
		struct actor *actor = &program.actor[i];

		actor->rank = rank_of(i, draw(LEVELS));
		actor->count = 3 + draw(STEPS - 2);
		for (unsigned at = 0; at < actor->count; at++) {
			struct step *step = &actor->steps[at];

			/* Sleeps, more than of one in so many operations, mix the others. */
			step->op = draw(5) ? draw(ops) : 0;
			step->object = draw(256);
			step->waits = step->op ? draw(3) : WAITS_FOR_A_TIME;
			step->arg = draw(65536);
			step->message = i * STEPS + at + 1;
		}
	}
}

static void describe(char *text, size_t bytes, const struct notes *notes, unsigned i)
{
	const struct note *note = &notes->note[i];

	if (i >= notes->count)
		snprintf(text, bytes, "the end");
	else
		snprintf(text, bytes, "at %u actor %u, step %u (%s): code %ld, value %ld",
			 note->unit, note->actor, note->step,
			 skin.ops[program.actor[note->actor].steps[note->step].op], note->code,
			 note->value);
}

static bool same(const struct note *a, const struct note *b)
{
	return a->unit == b->unit && a->actor == b->actor && a->step == b->step &&
	       a->code == b->code && a->value == b->value;
}

static void compare(void)
{
	char wanted[120], had[120];
	unsigned i = 0;

	while (i < expected.count && i < actual.count && same(&expected.note[i], &actual.note[i]))
		i++;
	if (i == expected.count && i == actual.count)
		return;
	describe(wanted, sizeof(wanted), &expected, i);
	describe(had, sizeof(had), &actual, i);
	test_fail(__FILE__, __LINE__, "%s, seed %llu, note %u: expected %s; actual %s", skin.name,
		  (unsigned long long)program.seed, i, wanted, had);
}

TEST(random_programs_do_what_the_model_says)
{
	const char *told = getenv("TACTUS_MODEL");
	uint64_t first = 1;
	uint64_t count = PROGRAMS;
	unsigned notes = 0;
	char *rest;

	if (told) {
		first = strtoull(told, &rest, 10);
		count = *rest == ':' ? strtoull(rest + 1, NULL, 10) : 1;
	}
	for (uint64_t seed = first; seed < first + count; seed++) {
		unsigned units;

		draw_program(seed);
		world_run(&expected);
		units = program.actors;
		for (unsigned i = 0; i < expected.count; i++)
			if (expected.note[i].unit > units)
				units = expected.note[i].unit;
		live_run(&actual, units);
		compare();
		notes += expected.count;
	}
	/* A program that does nothing would agree with any model. */
	expect_true(notes > count * 5);
}
