/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock, and the counter behind it. */
#ifndef THREAD_CLOCK_H
#define THREAD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void thread_time_start(void);
bool thread_time_is_vdso(uintptr_t ip);

#endif
