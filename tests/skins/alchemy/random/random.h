/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs whose outcome is decided by priorities and by instants that are far apart: a
 * model
 * (programs.py) predicts what each call returns, and in which order they return.
 */
#ifndef ALCHEMY_RANDOM_H
#define ALCHEMY_RANDOM_H

#include <stdbool.h>

#include <alchemy/task.h>
#include <alchemy/timer.h>

#define ACTORS  5
#define STEPS   20
#define MUTEXES 3
#define BLOCKS  2 /* that fit into the heap */

#define HEAP_BYTES 16384

/* A call: `what` is the object's number, `how` a variant; both are below 8. */
struct operation {
	const char *name;
	long (*call)(unsigned what, unsigned how);
};

struct step {
	const struct operation *operation;
	unsigned what, how;
};

struct actor {
	RT_TASK task;
	unsigned number, first, count, at; /* first: its priority */
	bool gone;
	unsigned held[MUTEXES];
	void *block[BLOCKS];
	struct step steps[STEPS];
};

extern struct actor actors[ACTORS];
extern unsigned actor_count;
/* The calling task. */
struct actor *acting(void);

/* A call with an undefined outcome. */
#define SKIPPED (-1000)

extern const struct operation operations[];
extern const unsigned operation_count;

void objects_make(void);
/* Give back what the calling actor has. */
void objects_leave(void);
/* Called by the referee: the task that waits for ever at the next object continues. */
void objects_free(unsigned round);
void objects_destroy(void);

/* An instant later than all that were asked for before. */
RTIME soon(void);
/* Priorities are of one actor each. */
int priority_of(const struct actor *actor, unsigned what);

#endif
