/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks from slabs. */
#ifndef MEMORY_STACK_H
#define MEMORY_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/hal.h"

void linux_stacks_stop(void);
/* As hal_stack_get() and hal_stack_put(): one that no real-time CPU runs on. Its memory comes as it
 * is used, and stays then; zeros are not promised. */
int linux_stack_get(size_t bytes, struct hal_stack *stack);
void linux_stack_put(const struct hal_stack *stack);

#endif
