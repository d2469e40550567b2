/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows that only tactus-alloc has. */
#ifndef ALLOC_ROWS_H
#define ALLOC_ROWS_H

struct bench_row;

extern const struct bench_row alloc_64, alloc_4096, alloc_65536, alloc_1048576, alloc_map_1048576,
	alloc_block_64;

#endif
