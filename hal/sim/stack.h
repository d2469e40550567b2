/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks, from a pool. */
#ifndef SIM_STACK_H
#define SIM_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/context.h"

/* As hal_stack_get(), from any entity. */
int sim_stack_map(size_t bytes, struct hal_stack *stack);
void sim_stack_release_pool(void);
bool sim_stack_in_guard(const void *base, uintptr_t address);

#endif
