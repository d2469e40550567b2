/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread as this skin follows it: its policy, its end, and what it is in a child. */
#ifndef POSIX_THREAD_H
#define POSIX_THREAD_H

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

#include "posix/state/record.h"
#include "posix/state/vfork_child.h"

/* The calling thread leaves the list, at its end, as the plain thread it began as. */
void posix_thread_leave(void);
/* For an exec that may fail: plain, with the policy that it was told it has, and a task again. */
void posix_thread_pause(void);
void posix_thread_resume(void);
/* At the start: it may have a real-time policy from who executed the program. */
void posix_thread_look(void);
/* In a child: the caller is its only thread, and plain. */
void posix_thread_forked(void);
/* In one that nobody was told of, of a program without a real-time half. */
void posix_thread_forked_alone(void);

/* In a vfork's child that is about to have or ask for its own policy or affinity, or to exec: it
 * has those that its parent was told it has, not its shadow's. */
void posix_vfork_child_inherit(void);

/* Does one ask about itself by this number? Then Linux has the answer. */
static inline bool posix_vfork_child_queries(pid_t pid)
{
	if (!posix_is_vfork_child() || (pid && pid != getpid()))
		return false;
	posix_vfork_child_inherit();
	return true;
}

/*
 * The thread has this policy from now on, as Linux was told already. Its own: it is a task, or
 * none, when this returns; another's: as soon as it makes a call that is interposed. Without
 * real-time CPUs (posix_start()) it stays the Linux thread that it is.
 */
void posix_thread_set_policy(struct posix_thread *thread, int policy, int priority);

/*
 * The caller asks Linux for it, and is no task from now on, until it asks for it no more. False: it
 * cannot stop being one.
 */
bool posix_thread_set_unfit(enum posix_unfit why, bool unfit);

/* From here on the program's threads are Linux's; why: printed. */
void posix_give_up(const char *why);

#endif
