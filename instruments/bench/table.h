/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that is a table of rows (tactus-switch, -ipc, -dispatch, -alloc): each row is measured
 * in a separate child process. The main function is in table.c; the program supplies this. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench.h"

struct bench_table {
	const char *instrument;
	const char *purpose;
	const struct bench_row *const *rows; /* ends with NULL */
};

extern const struct bench_table bench_table;

#endif
