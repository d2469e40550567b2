/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs whose outcome only priorities decide: what their threads share. Threads of
 * SCHED_FIFO on one CPU make calls that a seed chose; the result of each call is noted in the order
 * of the returns. Deadlines are far apart, in the order of the requests. If all threads wait for
 * ever, a referee below all others frees them.
 */
#ifndef POSIX_RANDOM_H
#define POSIX_RANDOM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define ACTORS  5
#define STEPS   20
#define MUTEXES 4
#define RWLOCKS 2

/* One call: `what` is the number of the object, `how` a variant of the call; both are below 8. */
struct operation {
	const char *name, *group;
	long (*call)(unsigned what, unsigned how);
};

struct step {
	const struct operation *operation;
	unsigned what, how;
};

struct actor {
	int number, priority;
	sem_t born;
	unsigned count, at;
	bool gone;
	pthread_t thread;
	unsigned held[MUTEXES], locked[RWLOCKS];
	struct step steps[STEPS];
};

/* What one file contributes: its calls, and their objects. */
struct kind {
	const struct operation *operations;
	unsigned count;
	void (*make)(void);               /* by main(), before the actors */
	void (*free_all)(unsigned round); /* by the referee: frees threads that wait for ever */
	void (*leave)(void);              /* by an actor that ends or is cancelled */
	void (*destroy)(void);            /* by main(), after the actors */
};

extern const struct kind random_locks, random_meetings, random_messages, random_signals,
	random_threads;

extern struct actor actors[ACTORS];
extern unsigned actor_count;
extern bool apart;         /* each call has an instant of its own */
extern bool may_be_robust; /* some mutexes: Linux reports their owners' ends, at its own time */
extern __thread struct actor *self;

/* A number below `limit`, from the seed. */
unsigned chosen(unsigned limit);

/* Skipped: a call whose outcome nothing defines. */
#define SKIPPED (-1000)

void note(const char *name, unsigned what, long result);

/* Later than all requests before. */
struct timespec soon(clockid_t clock);

/* The same as a time from now. */
struct timespec in_a_while(void);

/* The negative error number of a call, or its result. */
static inline long result_of(long returned)
{
	return returned < 0 ? -errno : returned;
}

#endif
