/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 3: contexts, stacks and memory.
 */
#ifndef HAL_CONTEXT_H
#define HAL_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_shadow;

/* A suspended flow of control. Laid out for hal/arch/<arch>/switch.S. */
struct hal_context {
	void *stack_pointer;
	uint64_t thread_pointer; /* TLS base; 0: leave the base as it is */
	void *sanitizer;         /* fibre handle of sanitizer builds */
	const void *stack_base;
	size_t stack_bytes;
};

struct hal_stack {
	void *base;   /* lowest usable byte; the guard lies below it */
	size_t bytes; /* usable, a multiple of the page size */
	bool guarded; /* false: the number of mappings is spent, a canary at the base stands in */
};

#define HAL_STACK_DEFAULT 65536u

/*
 * The smallest stack that holds two signal frames of this processor and a page. State that Linux
 * gives on request only (AMX) counts if the process had asked for it before its first stack.
 * Context: any.
 */
size_t hal_stack_minimum(void);

/**
 * Take a populated, locked stack with a guard below it.
 * From a real-time CPU only stacks that were put back before can be had (no system call is made).
 * Returns 0, -TACT_EINVAL (bytes below hal_stack_minimum() or above 1 GiB), -TACT_ENOMEM.
 * Context: any, not stalled. Cost: O(what its last user used of it) from the pool, a mapping
 * otherwise.
 */
int hal_stack_get(size_t bytes, struct hal_stack *stack) __attribute__((warn_unused_result));
/* Give it back as it is; nothing runs on it any more. Context: any. Cost: O(1). */
void hal_stack_put(const struct hal_stack *stack);

/* Is the address in the guard of this stack, or its canary gone? Context: any. */
bool hal_stack_overrun(const struct hal_stack *stack, uintptr_t address);

/*
 * Bytes of the stack that were ever used (pattern or page based). Its task may run, and end: the
 * figure is of some moment then. Context: any, not stalled (it looks through the unused part).
 */
size_t hal_stack_used(const struct hal_stack *stack);

/**
 * Locked, zeroed memory for the nucleus's pools, not inherited by fork.
 * Returns NULL when there is none. Context: linux.
 */
void *hal_memory_get(size_t bytes);
void hal_memory_put(void *memory, size_t bytes);

/**
 * Make a context that calls entry(arg) on the stack when first switched to, stalled.
 * shadow: whose thread-local storage it uses; NULL gives the light tasks' page, where any use of
 * thread-local storage faults. Context: any.
 */
void hal_context_prepare(struct hal_context *context, const struct hal_stack *stack,
			 struct hal_shadow *shadow, void (*entry)(void *arg), void *arg);
void hal_context_discard(struct hal_context *context);

/**
 * Save the caller in from and go on in to: callee-saved registers, stack, floating-point control
 * words and, where they differ, the TLS base. Returns when somebody switches back, maybe on
 * another CPU. Context: stalled.
 */
void hal_context_switch(struct hal_context *from, struct hal_context *to);

#endif
