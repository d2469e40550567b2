/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The groups of rows that the program offers: `--group NAME`. */
#ifndef BENCH_GROUPS_H
#define BENCH_GROUPS_H

#include "bench.h"

struct bench_group {
	const char *name;
	const struct bench_row *const
		*rows;        /* in the order in which they are shown; ends with NULL */
	bool settles;         /* only the quickest round counts: a row ends when it stays */
	const char *sides[2]; /* what is measured, and its counterpart: keys of the JSON */
};

extern const struct bench_group bench_groups[]; /* ends with {NULL} */

#endif
