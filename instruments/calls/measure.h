/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The time of each call in a plain thread, beside a waiting thread of SCHED_FIFO, because that
 * starts the program's real-time half under `tactus run`. */
#ifndef CALLS_MEASURE_H
#define CALLS_MEASURE_H

#include <stdbool.h>

#include "calls.h"

#define MEASURE_PARTS 3u
extern const struct call *const measure_calls[MEASURE_PARTS];

/*
 * Print a line for each call whose name contains `only`, or for all (NULL): the nanoseconds, of the
 * best of many turns, or -1 if the machine refuses the call, a space, and the name. Then the
 * process ends. Returns -1 after one line on stderr if there is nothing to measure.
 */
int measure_all(const char *only, bool with_task);

#endif
