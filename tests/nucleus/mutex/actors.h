/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Actors: tasks that do what the test's body tells them, one thing at a time, so that a test reads
 * as the sequence of what happens. The body runs in Linux; an actor that waits in a lock call is
 * told nothing more until it is through.
 */
#ifndef TESTS_ACTORS_H
#define TESTS_ACTORS_H

#include "test.h"

struct actor {
	tact_task_t task;
	tact_sem_t begin;
	tact_sem_t end;
	int (*act)(struct actor *actor);
	tact_handle_t object;
	tact_handle_t second;
	tact_timeout_t timeout;
	int result;
	const char *name; /* marked when an act ends; NULL: not */
};

/* A new actor on a CPU. */
void actor_start(struct actor *actor, uint32_t cpu, uint32_t priority);

/* Tell it to act on an object; returns at once. */
void actor_begin(struct actor *actor, int (*act)(struct actor *), tact_handle_t object,
		 tact_timeout_t timeout);
/* The act's result, once it has ended. */
int actor_result(struct actor *actor);
/* Both. */
int actor_do(struct actor *actor, int (*act)(struct actor *), tact_handle_t object);

/* Acts. */
int act_lock(struct actor *actor);
int act_unlock(struct actor *actor);
int act_consistent(struct actor *actor);
int act_wait(struct actor *actor); /* on condition object with mutex second */
int act_read(struct actor *actor);
int act_write(struct actor *actor);
int act_leave(struct actor *actor); /* unlock a reader-writer lock */
int act_lock_rwlock_consistent(struct actor *actor);

/* Lock, and be sure that it waits there now. */
void actor_blocks(struct actor *actor, int (*act)(struct actor *), tact_handle_t object);
void actor_blocks_for(struct actor *actor, int (*act)(struct actor *), tact_handle_t object,
		      tact_timeout_t timeout);

/* End the actor. */
void actor_end(struct actor *actor);

/* The effective priority becomes this, and stays. */
void expect_priority_at(const char *file, int line, const struct actor *actor, uint32_t priority);
#define expect_priority(actor, priority) expect_priority_at(__FILE__, __LINE__, actor, priority)

/*
 * What is under way between CPUs has come to rest. Each round drains every CPU's inbox, so a
 * message and what follows from it go at least one CPU further.
 */
void settle(void);

/* So many wait for the mutex. */
void until_waiters(tact_mutex_t mutex, uint32_t waiters);

#endif
