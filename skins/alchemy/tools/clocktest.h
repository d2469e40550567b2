/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of clocktest share. */
#ifndef ALCHEMY_TOOLS_CLOCKTEST_H
#define ALCHEMY_TOOLS_CLOCKTEST_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct clocktest_clock {
	const char *name;
	clockid_t id;
	int number; /* that is told */
};

/* From a CPU. */
struct clocktest_seen {
	int cpu;
	int error; /* for which it cannot be looked at */
	pthread_t thread;
	bool again;
	int64_t first_offset_ns;
	uint64_t first_ns;
	double offset_ns;
	double drift;
	uint64_t warps;
	int64_t worst_ns;
};

/* Begin to look at the clock from each CPU, in a thread each. 0, or -1 with a complaint. */
int clocktest_observe(const struct clocktest_clock *clock, struct clocktest_seen *seen, int count);
void clocktest_end(struct clocktest_seen *seen, int count);

#endif
