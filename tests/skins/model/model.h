/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs of a skin, and a plain model of what its vendor's manual says that they do. A
 * program is some actors, each with a list of steps; a step is one call. The program runs twice:
 * with tasks of the skin in virtual time (live.c), and in the model (world.c), which knows nothing
 * of the nucleus. Both note each result in the order in which the actors go on, with its time, and
 * the notes must be the same.
 *
 * No two actors have one priority, and no two waits end at one instant: waits end a unit of time
 * apart, and what is computed between them takes much less than a unit.
 */
#ifndef TESTS_SKINS_MODEL_H
#define TESTS_SKINS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define ACTORS  5
#define STEPS   12
#define OBJECTS 4
#define LEVELS  4 /* priorities that an actor may have */

/* A unit of time: so many ns, so many of the 10 ms ticks of VRTX and pSOS. */
#define UNIT_NS    100000000u
#define UNIT_TICKS 10

enum waits { POLLS, WAITS_FOR_A_TIME, WAITS_FOR_EVER };

struct step {
	unsigned op;     /* an operation of the skin; 0: sleep */
	unsigned object; /* or actor */
	enum waits waits;
	unsigned arg;
	unsigned message; /* of this step alone */
};

struct actor {
	unsigned rank; /* its first priority: 0 is the most urgent */
	unsigned count;
	struct step steps[STEPS];
};

struct program {
	uint64_t seed;
	unsigned actors;
	struct actor actor[ACTORS];
	unsigned how[OBJECTS]; /* attributes of the objects, 0 to 255 */
};

struct note {
	unsigned unit; /* when */
	unsigned actor;
	unsigned step;
	long code;
	long value; /* 0 unless the code is that of success */
};
struct notes {
	unsigned count;
	struct note note[ACTORS * STEPS];
};

/* Ranks: each actor has LEVELS of its own. */
static inline unsigned rank_of(unsigned actor, unsigned level)
{
	return level % LEVELS * ACTORS + actor;
}

/* The skin (psos.c, vrtx.c, uitron4.c): its calls, and their model. */
struct skin {
	const char *name;
	const char *const *ops; /* names, to NULL; ops[0] sleeps */
	long ok;
	/* Make an object of the program, in the world of tasks. */
	void (*make)(unsigned object);
	/* Delete all objects and let actors go on that wait for something else. */
	void (*end)(void);
	/* Start a task that calls live_actor(actor), with the priority of the actor's rank. */
	void (*start)(unsigned actor);
	void (*until_gone)(unsigned actor);
	/* Run a step; units: how long it may wait. Returns its code. */
	long (*call)(unsigned actor, const struct step *step, unsigned units, long *value);
	/* The same in the model: true: it is over; false: the actor waits (world_wait()). */
	bool (*model)(unsigned actor, const struct step *step, unsigned units, long *code,
		      long *value);
	/* The objects of the model are those of the start. */
	void (*reset)(void);
	/* NULL, or: an actor runs after world_run_again(). Returns as model(). */
	bool (*again)(unsigned actor, long *code, long *value);
	/* NULL, or: an actor goes on after its wait was too long. */
	void (*was_late)(unsigned actor);
};
extern const struct skin skin;
extern struct program program;

/* The model of tasks (world.c). */

/* Tasks that wait for an object. */
struct line {
	bool by_rank;
	unsigned count;
	unsigned actor[ACTORS];
};
/* The actor waits in a line, or in none; late: the code if the time passes. */
void world_wait(unsigned actor, struct line *line, enum waits waits, unsigned units, long late);
/* Its wait ends. */
void world_wake(unsigned actor, long code, long value);
/* Its wait does not end, but it runs to look at what it waits for. */
void world_run_again(unsigned actor);
/* Does it wait? */
bool world_waits(unsigned actor);
/* Has it not begun yet, or done its last step? */
bool world_sleeps(unsigned actor);
/* The sleep of such an actor is broken: it sleeps again when it runs. False: it was broken before.
 */
bool world_stir(unsigned actor);
/* Returns the former rank. */
unsigned world_set_rank(unsigned actor, unsigned rank);
/* All in a line get a code. Returns how many there were. */
unsigned world_wake_all(struct line *line, long code, long value);
/* What the wait of an actor is for: of the skin. */
extern struct step world_step[ACTORS];

void world_run(struct notes *notes);

/* The run with tasks (live.c). units: when the last wait has ended. */
void live_run(struct notes *notes, unsigned units);
/* What the task of an actor runs. */
void live_actor(unsigned actor);

#endif
