/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of tactus-switch, in the order of the output. */
#include "rows.h"

#include <stddef.h>

#include "bench/rows.h"
#include "bench/table.h"

static const struct bench_row *const rows[] = {
	&switch_2,         &switch_2_float,
	&switch_10,        &switch_10_float,
	&switch_100,       &switch_100_float,
	&switch_1000,      &switch_1000_float,
	&switch_light_2,   &switch_light_10,
	&switch_light_100, &switch_light_1000,
	&bench_switch_raw, NULL,
};

const struct bench_table bench_table = {
	.instrument = "switch",
	.purpose = "Time of a switch between tasks of equal priority that yield in turn, beside "
		   "pthreads.",
	.rows = rows,
};
