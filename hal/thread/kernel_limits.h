/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel can do for dispatchers, and how hal_start() changes its calling thread. */
#ifndef THREAD_KERNEL_LIMITS_H
#define THREAD_KERNEL_LIMITS_H

#include <stdbool.h>

bool thread_may_trap(void);
void thread_caller_leaves(void); /* leave the dispatchers' CPUs */
void thread_caller_returns(void);

#endif
