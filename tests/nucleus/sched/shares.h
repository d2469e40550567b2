/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One run: what tasks of classes with quanta and budgets get of the processor in a second, or a
 * little more. Budgets and quanta are drawn.
 */
#ifndef TESTS_SCHED_SHARES_H
#define TESTS_SCHED_SHARES_H

#include "exact.h"

struct shares {
	double times;  /* how large the smallest budget is, of the smallest that is accepted */
	uint64_t seed; /* of what is drawn */
	bool good; /* each is within 2 % of what was asked for, and tasks get on in their turns */
	bool disturbed;  /* so much was taken from a task that shares within what that explains tell
			    nothing: neither good nor bad */
	char worst[100]; /* what is bad, if anything is */
};

/* Context: linux, started. */
void measure_shares(struct shares *shares);

#endif
