/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts instructions of single calls, exactly: a child runs them under single-stepping and raises
 * a flag in shared memory while one is in progress. Repeatable on any machine, also a virtual one.
 */
#ifndef TESTS_INSTRUCTION_COUNT_H
#define TESTS_INSTRUCTION_COUNT_H

#include <stdint.h>

struct instruction_counter {
	volatile uint32_t kind; /* what is in progress: 1 .. COUNTER_KINDS - 1; 0: nothing */
};

#define COUNTER_KINDS 4
#define COUNTER_LIMIT 65536 /* longest call that is told apart */

/* histogram[kind][instructions]: number of calls. The flag's own two stores are not counted. */
typedef uint32_t instruction_histogram[COUNTER_KINDS][COUNTER_LIMIT];

/*
 * Runs body(counter, argument) in a child, which raises SIGSTOP once it is set up, from where on it
 * is stepped, and sets counter->kind around each call. Calls of COUNTER_LIMIT instructions or more
 * are put at the last place. Returns 0, or a negative errno when the machine does not let us trace.
 */
int instruction_count(void (*body)(struct instruction_counter *counter, void *argument),
		      void *argument, instruction_histogram histogram);

/* The count that this share of the calls does not exceed; share 1.0: the maximum. */
uint32_t instruction_quantile(const uint32_t *calls, double share);

double instruction_mean(const uint32_t *calls);

#endif
