/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which back end the program is linked with. */
#ifndef BENCH_WITH_H
#define BENCH_WITH_H

#include <stdbool.h>

bool bench_with_sim(void);
/* Be the other process of a row: returns the exit status. */
int bench_remote_owner(const char *label);

#endif
