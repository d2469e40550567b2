/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A vfork's child. It runs in its parent's memory, on the thread-local storage of the thread that
 * made it, while this thread waits until the child execs or ends. However, its descriptors, policy,
 * signals and timers are its own. What it does to them must not change what is stored of its
 * parent's, and it is not a task. Source: vfork(2), clone(2).
 */
#ifndef POSIX_VFORK_CHILD_H
#define POSIX_VFORK_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/* Has the thread made a child, and not found since that it runs itself again? If it has ever made
 * one for which it does not wait, `always` is set, and each call checks again. */
extern __thread bool posix_vfork_child_maybe __attribute__((tls_model("initial-exec")));
extern __thread bool posix_vfork_child_always __attribute__((tls_model("initial-exec")));

/* The caller is about to make one. waits: until the child execs or ends. */
void posix_vfork_begins(bool waits);

/* Slow part of posix_is_vfork_child(). */
bool posix_vfork_child_check(void);

/* Is the caller such a child? Cost: one load; the first time after its thread has made a child, a
 * Linux call. */
static inline bool posix_is_vfork_child(void)
{
	return __builtin_expect(posix_vfork_child_maybe, 0) && posix_vfork_child_check();
}

#define POSIX_FILES 1024 /* descriptors are known by number if they are below this */

/* Called by a child: the number is not the same file as in its parent any more; is it another
 * file's? */
void posix_vfork_child_lose(int fd);
bool posix_vfork_child_has_lost(int fd);

/* Called by a child that is about to set or read its own policy or affinity, or to exec. It begins
 * with those that its parent sees as its own. True the first time. */
bool posix_vfork_child_inherits_now(void);

#endif
