/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows that only tactus-dispatch has. */
#ifndef DISPATCH_ROWS_H
#define DISPATCH_ROWS_H

struct bench_row;

extern const struct bench_row dispatch_release, dispatch_thread, dispatch_full, dispatch_process;

#endif
