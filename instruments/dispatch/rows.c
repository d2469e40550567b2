/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of tactus-dispatch, in the order of the output. */
#include "rows.h"

#include <stddef.h>

#include "bench/rows.h"
#include "bench/table.h"

static const struct bench_row *const rows[] = {
	&dispatch_release, &dispatch_thread, &dispatch_full, &dispatch_process, NULL,
};

const struct bench_table bench_table = {
	.instrument = "dispatch",
	.purpose = "Time from the creation of a task, thread or process until it runs.",
	.rows = rows,
};
