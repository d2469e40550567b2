/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads with a real-time policy that mostly call Linux stay there, as the threads of Linux that
 * they are, with their policy: a switch to primary mode for a moment costs them more than it gives.
 * Two kinds stay: one whose policy is from who began the program (`chrt -f 5 PROGRAM`), until it
 * first waits for what real time serves; and a task that has gone to Linux so many times in a row
 * without a wait between, until it waits again. How long that second stay lasts at least doubles
 * with each one, so that a thread of both kinds does not go to and fro. A task that waits between
 * its calls, as a periodic one does, never stays. Decision record 18.
 */
#ifndef POSIX_STAY_H
#define POSIX_STAY_H

#include "posix/state/record.h"

/* After so many switches in a row; 0: none stays. What `tactus run` was told, from the start on. */
extern uint32_t posix_stay_after;
/* By a skin that stands on this one, before the constructors: its tasks are told what mode they are
 * in, and none stays. */
extern bool posix_stay_refused;

/* Before the program's first thread is looked at. */
void posix_stay_prepare(void);

/* The record's policy is not of its own asking: from who executed the program, or from a creator of
 * which the same is true. Its thread stays, if threads do. */
void posix_stay_inherit(struct posix_thread *thread);

/* From a signal's frame on the shadow: the task has just gone to Linux for a call. */
void posix_stay_switched(void);

/* The caller, which stays in Linux, is about to wait. It is asked to be a task for that, unless its
 * stay is to last yet. */
void posix_stay_waits(void);

/* The caller was a task, and stays in Linux from here on. True: no task is left. */
bool posix_stay_begins(void);
/* It cannot be none now: it goes on as one. */
void posix_stay_cannot(void);
/* The thread's policy is of somebody's asking: it does not stay any more. */
void posix_stay_chosen(struct posix_thread *thread);

/* The caller is a task; it is none any more. */
void posix_stay_task_begins(void);
void posix_stay_task_ends(void);

/* How many threads with a real-time policy have not been tasks so far; 0 in a fork's child, which
 * has no summary of its own without tasks. */
unsigned posix_stay_count(void);
void posix_stay_forked(void); /* in a fork's child */

static inline bool posix_thread_stays(const struct posix_thread *thread)
{
	return atomic_load_explicit(&thread->state, memory_order_relaxed) & POSIX_STAYS;
}

static inline bool posix_stay_lasts(void)
{
	return posix_thread_stays(&posix_me);
}

/* Before a wait that real time serves. Cost: one load. */
static inline void posix_stay_break(void)
{
	if (__builtin_expect(posix_stay_lasts(), 0))
		posix_stay_waits();
}

/* At the beginning of a call that wakes others and asks for nothing else: the caller, a task, may
 * have to stay. Cost: one load. */
static inline void posix_stay_look(void)
{
	if (__builtin_expect(posix_stay_lasts(), 0))
		(void)posix_is_task();
}

#endif
