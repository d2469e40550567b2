/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A vfork's child. It runs in its parent's memory, on the thread-local storage of the thread that
 * made it, which waits until it execs or ends; but its descriptors, policy, signals and timers are
 * its own. What it does to those changes nothing that is kept of its parent's, and it is no task.
 * Source: vfork(2), clone(2).
 */
#ifndef POSIX_VFORK_CHILD_H
#define POSIX_VFORK_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/* Has the thread made one, and not found since that it runs itself again? Or one that it does not
 * wait for: then it asks for ever. */
extern __thread bool posix_vfork_child_maybe __attribute__((tls_model("initial-exec")));
extern __thread bool posix_vfork_child_always __attribute__((tls_model("initial-exec")));

/* The caller is about to make one; waits: until that execs or ends. */
void posix_vfork_begins(bool waits);

/* Slow part of posix_is_vfork_child(). */
bool posix_vfork_child_check(void);

/* Is the caller one? Cost: one load; where its thread has made one, the first time a call of
 * Linux's. */
static inline bool posix_is_vfork_child(void)
{
	return __builtin_expect(posix_vfork_child_maybe, 0) && posix_vfork_child_check();
}

#define POSIX_FILES 1024 /* descriptors that are known by number: those below */

/* By one: this number is no more what it is in its parent; is it another file's? */
void posix_vfork_child_lose(int fd);
bool posix_vfork_child_has_lost(int fd);

/* By one that is about to have or ask for its own policy or affinity, or to exec: it begins with
 * those that its parent was told it has. True the first time. */
bool posix_vfork_child_inherits_now(void);

#endif
