/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of tactus-alloc, in the order of the output. */
#include "rows.h"

#include <stddef.h>

#include "bench/rows.h"
#include "bench/table.h"

static const struct bench_row *const rows[] = {
	&alloc_64,          &alloc_4096,     &alloc_65536,           &alloc_1048576,
	&alloc_map_1048576, &alloc_block_64, &bench_heap_alloc_free, NULL,
};

const struct bench_table bench_table = {
	.instrument = "alloc",
	.purpose = "Time to allocate memory, write to each page of it, and free it.",
	.rows = rows,
};
