/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel can do for dispatchers, and what hal_start() asks of its caller. */
#ifndef THREAD_KERNEL_LIMITS_H
#define THREAD_KERNEL_LIMITS_H

#include <stdbool.h>

bool thread_may_trap(void);
void thread_caller_leaves(void); /* the CPUs that the dispatchers take */
void thread_caller_returns(void);

#endif
