/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The model of tasks: the most urgent one that can run does its next step, until none can; then
 * time goes on to the next end of a wait. A result is noted when its actor goes on, which may be
 * after others that the step has woken.
 */
#include "model.h"

#include <string.h>

struct step world_step[ACTORS];

static struct {
	unsigned rank;
	unsigned at; /* the step that is next, or under way */
	bool begun;
	bool stirs; /* its sleep before the begin or after the end was broken */
	bool waits;
	bool has_run;  /* the step has a result, which is not noted yet */
	bool was_late; /* it waited too long */
	bool again;    /* it looks again at what it waits for */
	unsigned ends; /* the unit at which the wait ends; 0: never */
	long late;
	struct line *line;
	long code;
	long value;
} actors[ACTORS];

static unsigned now;
static unsigned latest;

static void leave(unsigned actor)
{
	struct line *line = actors[actor].line;
	unsigned place = 0;

	actors[actor].line = NULL;
	if (!line)
		return;
	while (line->actor[place] != actor)
		place++;
	line->count--;
	memmove(&line->actor[place], &line->actor[place + 1],
		(line->count - place) * sizeof(line->actor[0]));
}

static void enter(unsigned actor, struct line *line)
{
	unsigned place = line->count;

	while (line->by_rank && place && actors[line->actor[place - 1]].rank > actors[actor].rank)
		place--;
	memmove(&line->actor[place + 1], &line->actor[place],
		(line->count - place) * sizeof(line->actor[0]));
	line->actor[place] = actor;
	line->count++;
	actors[actor].line = line;
}

void world_wait(unsigned actor, struct line *line, enum waits waits, unsigned units, long late)
{
	actors[actor].waits = true;
	actors[actor].ends = waits == WAITS_FOR_A_TIME ? now + units : 0;
	actors[actor].late = late;
	if (line)
		enter(actor, line);
}

void world_wake(unsigned actor, long code, long value)
{
	leave(actor);
	actors[actor].waits = false;
	actors[actor].has_run = true;
	actors[actor].code = code;
	actors[actor].value = value;
}

unsigned world_wake_all(struct line *line, long code, long value)
{
	const unsigned count = line->count;

	while (line->count)
		world_wake(line->actor[0], code, value);
	return count;
}

bool world_waits(unsigned actor)
{
	return actors[actor].waits;
}

bool world_sleeps(unsigned actor)
{
	return !actors[actor].begun || actors[actor].at == program.actor[actor].count;
}

void world_run_again(unsigned actor)
{
	actors[actor].waits = false;
	actors[actor].again = true;
}

bool world_stir(unsigned actor)
{
	const bool sleeps = !actors[actor].stirs;

	actors[actor].stirs = true;
	return sleeps;
}

unsigned world_set_rank(unsigned actor, unsigned rank)
{
	struct line *line = actors[actor].line;
	const unsigned former = actors[actor].rank;

	actors[actor].rank = rank;
	if (line && line->by_rank && rank != former) {
		leave(actor);
		enter(actor, line);
	}
	return former;
}

/* Waits end at instants of their own. */
static unsigned units_of(const struct step *step)
{
	if (step->waits != WAITS_FOR_A_TIME)
		return 0;
	latest = (latest > now ? latest : now) + 1;
	return latest - now;
}

static void note(struct notes *notes, unsigned actor)
{
	if (actors[actor].was_late && skin.was_late)
		skin.was_late(actor);
	notes->note[notes->count++] = (struct note){
		now,
		actor,
		actors[actor].at++,
		actors[actor].code,
		actors[actor].code == skin.ok ? actors[actor].value : 0,
	};
	actors[actor].has_run = false;
	actors[actor].was_late = false;
}

static void go_on(struct notes *notes, unsigned actor)
{
	const struct step *step;

	actors[actor].stirs = false;
	if (!actors[actor].begun)
		return;
	if (actors[actor].again) {
		actors[actor].again = false;
		actors[actor].has_run =
			skin.again(actor, &actors[actor].code, &actors[actor].value);
		actors[actor].waits = !actors[actor].has_run;
		if (actors[actor].waits)
			return;
	}
	if (actors[actor].has_run)
		note(notes, actor);
	if (actors[actor].at == program.actor[actor].count)
		return;
	step = &program.actor[actor].steps[actors[actor].at];
	world_step[actor] = *step;
	actors[actor].has_run =
		skin.model(actor, step, units_of(step), &actors[actor].code, &actors[actor].value);
}

static bool can_run(unsigned actor)
{
	if (actors[actor].stirs || actors[actor].again)
		return true;
	return !actors[actor].waits &&
	       (actors[actor].has_run || actors[actor].at < program.actor[actor].count);
}

/* The most urgent actor that can run; ACTORS: none can. */
static unsigned next(void)
{
	unsigned best = ACTORS;

	for (unsigned i = 0; i < program.actors; i++)
		if (can_run(i) && (best == ACTORS || actors[i].rank < actors[best].rank))
			best = i;
	return best;
}

/* The actor whose wait ends first; ACTORS: no wait ends. */
static unsigned first_to_end(void)
{
	unsigned first = ACTORS;

	for (unsigned i = 0; i < program.actors; i++)
		if (actors[i].waits && actors[i].ends &&
		    (first == ACTORS || actors[i].ends < actors[first].ends))
			first = i;
	return first;
}

void world_run(struct notes *notes)
{
	notes->count = 0;
	now = 0;
	latest = program.actors;
	skin.reset();
	memset(actors, 0, sizeof(actors));
	/* They begin one after another. */
	for (unsigned i = 0; i < program.actors; i++) {
		actors[i].rank = program.actor[i].rank;
		actors[i].waits = true;
		actors[i].ends = i + 1;
	}
	for (;;) {
		unsigned actor = next();

		if (actor < ACTORS) {
			go_on(notes, actor);
			continue;
		}
		actor = first_to_end();
		if (actor == ACTORS)
			return;
		now = actors[actor].ends;
		/* The begin is no step. */
		if (!actors[actor].begun) {
			actors[actor].begun = true;
			actors[actor].waits = false;
		} else {
			world_wake(actor, actors[actor].late, 0);
			actors[actor].was_late = true;
		}
	}
}
