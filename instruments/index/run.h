/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the programs of the index, and computes figures from their counts. */
#ifndef INDEX_RUN_H
#define INDEX_RUN_H

#include <limits.h>
#include <stdbool.h>

#include "tests.h"

#define INDEX_PASSES_MAX 99
#define INDEX_COPIES_MAX 1024

/* One pass: the counts of all copies together, the mean of their times. */
struct index_pass {
	double count;
	double unit_s; /* 0: the count is a rate */
	double took_s;
};

struct index_result {
	unsigned int passes, dropped;             /* all passes, and the lowest ones, which are
						   * dropped */
	struct index_pass pass[INDEX_PASSES_MAX]; /* the lowest first */
	double score;
	double index;
};

struct index_setup {
	char programs[PATH_MAX]; /* folder */
	char folder[PATH_MAX];   /* for files; only of this run */
	double seconds;
	unsigned int passes; /* 0: ten or three */
	bool native;         /* programs that compute are the ones for this machine */
};

/* Do programs that were compiled for the machine of the build run here? */
bool index_native_runs(const struct index_setup *setup);

/* Returns 0, or -1 after one line on stderr. */
int index_run(const struct index_setup *setup, const struct index_test *test, unsigned int copies,
	      struct index_result *result);

#endif
