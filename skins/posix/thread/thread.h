/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread as this skin sees it: its policy, its end, and its state in a child. */
#ifndef POSIX_THREAD_H
#define POSIX_THREAD_H

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

#include "posix/state/record.h"
#include "posix/state/vfork_child.h"

/* The calling thread leaves the list, at its end, as a plain thread. */
void posix_thread_leave(void);
/* For an exec that may fail: the caller becomes a plain thread, with the policy that the program
 * sees; and a task again. */
void posix_thread_pause(void);
void posix_thread_resume(void);
/* At the start: the thread may have a real-time policy from outside the program. */
void posix_thread_look(void);
/* In a fork's child: the caller is its only thread, and a plain one. */
void posix_thread_forked(void);
/* In a child whose fork was not seen here, of a program without a real-time half. */
void posix_thread_forked_alone(void);

/* In a vfork's child that is about to set or read its own policy or affinity, or to exec: it gets
 * those that its parent sees as its own, not those of the shadow. */
void posix_vfork_child_inherit(void);

/* Does a vfork's child ask about itself by this number? Then Linux answers. */
static inline bool posix_vfork_child_queries(pid_t pid)
{
	if (!posix_is_vfork_child() || (pid && pid != getpid()))
		return false;
	posix_vfork_child_inherit();
	return true;
}

/*
 * The thread has this policy from now on, which is already set in Linux. If it is the caller, it is
 * a task, or none, when this returns; another thread, as soon as it makes an interposed call.
 * Without real-time CPUs (posix_start()) it remains a Linux thread.
 */
void posix_thread_set_policy(struct posix_thread *thread, int policy, int priority);

/*
 * The caller requests this of Linux, and is not a task until it ends the request. False: it cannot
 * cease to be one.
 */
bool posix_thread_set_unfit(enum posix_unfit why, bool unfit);

/* From here on the program's threads are plain Linux threads. why: printed. */
void posix_give_up(const char *why);

#endif
