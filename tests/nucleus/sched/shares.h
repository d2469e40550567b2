/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One run: what tasks of classes with quanta and budgets get of the processor in a second, or a
 * little more. Budgets and quanta are drawn.
 */
#ifndef TESTS_SCHED_SHARES_H
#define TESTS_SCHED_SHARES_H

#include "exact.h"

struct shares {
	double times;    /* how large the smallest budget is, of the smallest that is accepted */
	uint64_t seed;   /* of the random numbers */
	bool good;       /* each task gets its share within 2 %, and computes in its turns */
	bool disturbed;  /* so much was taken from a task that shares within what that explains tell
			    nothing: neither good nor bad */
	char worst[100]; /* the fault, if there is one */
};

/* Context: linux, started. */
void measure_shares(struct shares *shares);

#endif
