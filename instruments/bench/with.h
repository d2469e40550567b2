/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The back end with which the program is linked. */
#ifndef BENCH_WITH_H
#define BENCH_WITH_H

#include <stdbool.h>

bool bench_with_sim(void);
/* Run as the other process of a row. Returns the exit status. */
int bench_remote_owner(const char *label);

#endif
