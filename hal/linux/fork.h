/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Forks of the program: what a child does not get, and how the parent gets its pages back. */
#ifndef LINUX_FORK_H
#define LINUX_FORK_H

void linux_fork_start(void);
/* unshare.c: a thread makes the program's pages its own again, soon after the call. The second call
 * ends that thread. */
void linux_unshare(void);
void linux_unshare_stop(void);

#endif
