/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One row, from start to result. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench.h"

struct bench_effort {
	unsigned int rounds;  /* minimum; with a limit in `settled`, the maximum */
	unsigned int settled; /* ends after so many rounds (and at least twice as many in all)
			       * that shortened no side's quickest round by 1 %; 0: never */
	uint64_t limit_ns;    /* more rounds until then; 0: none */
	uint64_t operations;  /* of each side, per round; 0: the row's own */
	bool without_peer, without_tactus;
};

/* Nanoseconds of one operation, for each round. */
struct bench_result {
	bool ours, peers; /* which sides were measured */
	uint64_t operations;
	unsigned int rounds;
	double own[BENCH_ROUNDS_MAX], peer[BENCH_ROUNDS_MAX];
};

/* Choose bench.cpu or, if it is below 0, the highest CPU. 0, or -1 after one line on stderr. */
int bench_choose_cpu(void);

/* Returns the exit status of the program: 0; 1: it failed; 2: it could not start. */
int bench_measure(const struct bench_row *row, const struct bench_effort *effort,
		  struct bench_result *result);

#endif
