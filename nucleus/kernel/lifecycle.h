/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start and stop, as each sees the other. */
#ifndef NUC_LIFECYCLE_H
#define NUC_LIFECYCLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Written by tact_start() and tact_stop(). */
extern bool nuc_started;

/*
 * Which start this is. A task that was in Linux at the stop is *stray*: it has no CPU any more, and
 * its calls are refused. Counted up by tact_stop(), sequentially consistent.
 */
extern _Atomic uint32_t nuc_life;

/* A start or a stop is under way: of two threads that want one, one is refused. */
extern _Atomic bool nuc_changing;

/* CPUs that Linux threads may call: 0 until they run, and from the stop on. */
extern _Atomic uint32_t nuc_open;

/*
 * What a Linux thread does with the CPUs it does between these: the stop waits for it. Begin
 * returns 0 or -TACT_EPERM (they do not run; there is nothing to end then). Context: linux.
 */
int nuc_linux_begin(void);
void nuc_linux_end(void);

/* Plain Linux threads that are inside nuc_call(): the CPUs do not stop before their answers. */
extern _Atomic uint32_t nuc_linux_callers;

/*
 * What makes a task for a Linux thread, from more than one call and from memory of the back end's,
 * lies between these: a stop begins when the last of them is through, so that it finds each task
 * whole or not at all. Begin returns 0 or -TACT_EPERM (no start, or a stop has begun; there is
 * nothing to end then). Context: linux.
 */
int nuc_maker_begin(void);
void nuc_maker_end(void);
extern _Atomic bool nuc_making;

/* Wait until nobody is between those two, for a bounded time. Context: linux. */
void nuc_makers_await(void);

#endif
