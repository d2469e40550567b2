/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two tasks or threads that hand the processor to each other: give to the other side, wait for
 * one's own turn. */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include "bench.h"

#define PAIR_WARM_UP 1000u

struct pair {
	uint64_t turns;
	double ns;
};

extern int bench_pair_error; /* where give and take store a failure */

/* Run both as tasks, or as Linux threads; the first one leads. Nanoseconds of all operations, each
 * one a give, a take and a switch; negative: it failed, which was reported. */
double bench_pair_tasks(uint64_t operations, uint32_t flags, void (*first)(void *),
			void (*second)(void *));
double bench_pair_threads(uint64_t operations, void (*first)(void *), void (*second)(void *));

/* Inlined into each pair of functions, so that the loop adds no call. */
#define PAIR_INLINE static inline __attribute__((always_inline))

PAIR_INLINE void pair_lead(struct pair *pair, void (*give)(int), void (*take)(int))
{
	double start_ns = 0;

	for (uint64_t i = 0; i < PAIR_WARM_UP + pair->turns; i++) {
		if (i == PAIR_WARM_UP)
			start_ns = bench_now_ns();
		give(1);
		take(0);
	}
	pair->ns = bench_now_ns() - start_ns;
}

PAIR_INLINE void pair_follow(struct pair *pair, void (*give)(int), void (*take)(int))
{
	for (uint64_t i = 0; i < PAIR_WARM_UP + pair->turns; i++) {
		take(1);
		give(0);
	}
}

#endif
