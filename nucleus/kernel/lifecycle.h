/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What start, stop and the calls of Linux threads know of each other. */
#ifndef NUC_LIFECYCLE_H
#define NUC_LIFECYCLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Written by tact_start() and tact_stop(). */
extern bool nuc_started;

/*
 * The number of stops so far; tact_stop() increments it, sequentially consistent. A task that was
 * in Linux at the stop is *stray*: it has no CPU any more, and its calls are refused.
 */
extern _Atomic uint32_t nuc_life;

/* A start or a stop is under way: another one is refused meanwhile. */
extern _Atomic bool nuc_changing;

/* The number of CPUs that Linux threads may call: 0 until the CPUs run, and from the stop on. */
extern _Atomic uint32_t nuc_open;

/*
 * A Linux thread uses the CPUs only between these two calls, and the stop waits for the second.
 * Begin returns 0, or -TACT_EPERM if the CPUs do not run; end is not called then. Context: linux.
 */
int nuc_linux_begin(void);
void nuc_linux_end(void);

/* The number of Linux threads, shadows included, that use the CPUs: the CPUs stop after the last of
 * them. */
extern _Atomic uint32_t nuc_linux_callers;

/*
 * A Linux thread makes a task by several calls and with memory of the back end; it does so between
 * these two calls. A stop waits for the second, so that it finds each task complete or not at all.
 * Begin returns 0, or -TACT_EPERM if there was no start or a stop has begun; end is not called
 * then. Context: linux.
 */
int nuc_maker_begin(void);
void nuc_maker_end(void);
extern _Atomic bool nuc_making;

/* Wait until no thread is between those two calls, for a bounded time. Context: linux. */
void nuc_makers_await(void);

#endif
