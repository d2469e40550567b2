/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks from slabs. */
#ifndef MEMORY_STACK_H
#define MEMORY_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/hal.h"

void linux_stacks_stop(void);
/* As hal_stack_get() and hal_stack_put(), for a stack on which no real-time CPU runs. Its memory is
 * populated as it is used, and stays then. It may contain other values than zeros. */
int linux_stack_get(size_t bytes, struct hal_stack *stack);
void linux_stack_put(const struct hal_stack *stack);

#endif
