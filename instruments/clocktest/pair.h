/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two CPUs that compare one clock. */
#ifndef CLOCKTEST_PAIR_H
#define CLOCKTEST_PAIR_H

#include "clocks.h"

/* All in the clock's own units: nanoseconds, or ticks of the counter. */
struct pair_result {
	uint64_t readings;  /* of both */
	uint64_t backwards; /* readings earlier than one that either CPU had before */
	uint64_t backwards_max;
	int64_t offset_first; /* the other's clock minus the reference's, at begin and end */
	int64_t offset_last;
	uint64_t offset_error; /* half of the shortest way there and back */
	uint64_t between;      /* time between the two measurements of the offset */
};

/* Returns 0, or -1 after one line on stderr. Both may be the same CPU: then only order is
 * checked. */
int pair_compare(enum clock_kind kind, int reference_cpu, int other_cpu, uint64_t duration_ns,
		 struct pair_result *result);

#endif
