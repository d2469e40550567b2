/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Slabs: where the stacks of stack.c lie. */
#ifndef LINUX_SLAB_H
#define LINUX_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLAB_PAGE         4096u
#define SLAB_GUARD_BYTES  SLAB_PAGE
#define SLAB_CANARY_WORDS 8u /* at the base of a stack without a guard */

struct slab {
	uintptr_t begin; /* of the mapping */
	size_t bytes;
	size_t stride; /* a stack with its guard */
	bool guarded;
};

/* What is populated of its stacks before they are used: all of each, or its top page. */
enum slab_kind {
	SLAB_WHOLE,
	SLAB_LAZY,
	SLAB_KINDS,
};

/*
 * Make a slab of at least one stack, and of no more than are wanted or sensible at once. Returns
 * their number or -TACT_ENOMEM. Context: linux, one at a time.
 */
int slab_make(enum slab_kind kind, size_t stack_bytes, size_t wanted, const struct slab **made);
/* The base of a stack of the slab. */
uintptr_t slab_stack(const struct slab *slab, size_t index);
/* The slab that contains the address, or NULL. Context: any. */
const struct slab *slab_of(uintptr_t address);
/* Unmap all slabs. */
void slabs_drop(void);

void linux_stacks_start(bool lock);
/* Is the address in the guard of a stack? Context: any. */
bool linux_stacks_guard(uintptr_t address);
/* Will the child of a fork get the stack on which the caller runs? */
void linux_stacks_inherit(bool inherited);

void slab_canary_set(uintptr_t base);
bool slab_canary_gone(uintptr_t base);

#endif
