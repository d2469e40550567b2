/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of tactus-core. */
#ifndef CORE_ROWS_H
#define CORE_ROWS_H

#include "bench/bench.h"

extern const struct bench_row core_take;
extern const struct bench_row core_give;
extern const struct bench_row core_touch;
extern const struct bench_row core_unmap;

#endif
