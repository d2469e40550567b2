/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Forks of the program: what a child does not get, and what the parent gets back. */
#ifndef LINUX_FORK_H
#define LINUX_FORK_H

void linux_fork_start(void);
/* unshare.c: the program's pages are its own again soon, by a thread that ends with the second. */
void linux_unshare(void);
void linux_unshare_stop(void);

#endif
