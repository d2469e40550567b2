/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of deny.c in other files. */
#ifndef POSIX_DENY_H
#define POSIX_DENY_H

#include <stdbool.h>

/* Make the objects of one thread; use each while no thread must wait: did all calls succeed? */
void share(int me);
bool use_shared(int me);
/* Named and process-shared semaphores that no other program posts: the other thread's turn after
 * the caller's. */
void begin_passing(void);
bool pass_named(int me);
bool pass_shared(int me);
/* Two locks that both threads use: a waiter waits for the other thread. */
bool contend_shared(void);
/* Plain threads come, live all at once, and end: could all be made? */
bool make_threads(void);

#endif
