/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads with a real-time policy that mostly call Linux stay there, as Linux threads with their
 * policy: a switch to primary mode for a moment costs more than it gains. Two kinds stay: a thread
 * whose policy was set from outside the program (`chrt -f 5 PROGRAM`), until it first waits for
 * something that real time serves; and a task that has gone to Linux a number of times in a row
 * without a wait between, until it waits again. The least length of such a later stay doubles with
 * each one, so that a thread of mixed behaviour does not go to and fro. A task that waits between
 * its calls, as a periodic one does, never stays. Decision record 18.
 */
#ifndef POSIX_STAY_H
#define POSIX_STAY_H

#include "posix/state/record.h"

/* After how many switches in a row a task stays; 0: never. An option of `tactus run`, set at the
 * start. */
extern uint32_t posix_stay_after;
/* Set by a skin on top of this one, before the constructors: the tasks of that skin choose their
 * modes, so none stays. */
extern bool posix_stay_refused;

/* To be called before the record of the program's first thread is made. */
void posix_stay_prepare(void);

/* The thread did not request its policy: it is from outside the program, or from a creator of which
 * the same is true. The thread stays, if threads stay at all. */
void posix_stay_inherit(struct posix_thread *thread);

/* Called in a signal's frame on the shadow: the task has just gone to Linux for a call. */
void posix_stay_switched(void);

/* The caller, which stays in Linux, is about to wait. It is requested to become a task for that,
 * unless the least length of its stay is not over. */
void posix_stay_waits(void);

/* The caller ceased to be a task, and stays in Linux from here on. True: no task is left. */
bool posix_stay_begins(void);
/* The caller cannot cease to be a task now, and continues as one. */
void posix_stay_cannot(void);
/* The thread's policy was requested by the program: it does not stay any more. */
void posix_stay_chosen(struct posix_thread *thread);

/* The caller has become a task; it has ceased to be one. */
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

/* At the beginning of a call that only wakes other threads: the caller, a task, may have to stay.
 * Cost: one load. */
static inline void posix_stay_look(void)
{
	if (__builtin_expect(posix_stay_lasts(), 0))
		(void)posix_is_task();
}

#endif
