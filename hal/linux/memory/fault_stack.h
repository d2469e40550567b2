/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stacks on which threads take their faults, with a guard below each. */
#ifndef MEMORY_FAULT_STACK_H
#define MEMORY_FAULT_STACK_H

#include <signal.h>
#include <stdbool.h>

/* The stack of a CPU, populated as a whole. 0 or -TACT_ENOMEM. */
int linux_fault_stack_get(stack_t *stack);
void linux_fault_stack_put(const stack_t *stack);
/* The stack of a shadow. 0 or -TACT_ENOMEM; put it in any case. */
int shadow_fault_stack_get(stack_t *stack);
void shadow_fault_stack_put(const stack_t *stack);
/* Unmap the stacks of shadows that no shadow has. */
void shadow_fault_stacks_drop(void);
/* Make this page a guard. is_mapping: it needs a mapping of its own. False: Linux has no room. */
bool linux_guard(void *page, bool *is_mapping);

#endif
