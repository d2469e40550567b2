/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stacks on which threads take their faults, with a guard below each. */
#ifndef MEMORY_FAULT_STACK_H
#define MEMORY_FAULT_STACK_H

#include <signal.h>
#include <stdbool.h>

/* A CPU's, which is there as a whole. 0 or -TACT_ENOMEM. */
int linux_fault_stack_get(stack_t *stack);
void linux_fault_stack_put(const stack_t *stack);
/* A shadow's. 0 or -TACT_ENOMEM; put in any case. */
int shadow_fault_stack_get(stack_t *stack);
void shadow_fault_stack_put(const stack_t *stack);
/* Shadows' that none has are given back. */
void shadow_fault_stacks_drop(void);
/* This page is a guard from now on, and a mapping for itself, or not. False: Linux has no room. */
bool linux_guard(void *page, bool *is_mapping);

#endif
