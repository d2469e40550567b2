/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of tactus-core, in the order of the output. */
#include "rows.h"

#include <stddef.h>

#include "bench/rows.h"
#include "bench/table.h"

static const struct bench_row *const rows[] = {
	&core_take, &core_give, &core_touch, &core_unmap, &bench_mode_switch, NULL,
};

const struct bench_table bench_table = {
	.instrument = "core",
	.purpose = "Time to take a CPU from Linux, to give it back, to call Linux from it, and to "
		   "give it memory.",
	.rows = rows,
};
