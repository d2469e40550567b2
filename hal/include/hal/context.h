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

/* A suspended flow of control. hal/arch/<arch>/switch.S depends on the layout. */
struct hal_context {
	void *stack_pointer;
	uint64_t thread_pointer; /* TLS base; 0: leave the base as it is */
	void *sanitizer;         /* fibre handle of sanitizer builds */
	const void *stack_base;
	size_t stack_bytes;
};

struct hal_stack {
	void *base;         /* lowest usable byte; the guard lies below it */
	size_t bytes : 63;  /* usable, a multiple of the page size */
	size_t guarded : 1; /* 0: no mapping was left for a guard; a canary at the base replaces it
			     */
};

#define HAL_STACK_DEFAULT 65536u

/*
 * The smallest stack: it holds two signal frames of this processor and a page. State that Linux
 * gives only on request (AMX) counts if the process had requested it before its first stack.
 * Context: any.
 */
size_t hal_stack_minimum(void);

/**
 * Take a populated, locked stack with a guard below it. A caller on a real-time CPU gets only
 * stacks that were put back before, because no system call is made there.
 * Returns 0, -TACT_EINVAL (bytes below hal_stack_minimum() or above 1 GiB), -TACT_ENOMEM.
 * Context: any, not stalled.
 * Cost: O(bytes that the last user used) for a stack from the pool, otherwise a mapping.
 */
int hal_stack_get(size_t bytes, struct hal_stack *stack) __attribute__((warn_unused_result));
/* Give a stack back as it is. Nothing may run on it any more. Context: any. Cost: O(1). */
void hal_stack_put(const struct hal_stack *stack);

/* Is the address in the guard of this stack, or its canary overwritten? Context: any. */
bool hal_stack_overrun(const struct hal_stack *stack, uintptr_t address);

/*
 * Bytes of the stack that were ever used (by pattern or by page). Its task may run or end
 * meanwhile; then the figure is that of some moment. Context: any, not stalled (the call looks
 * through the unused part).
 */
size_t hal_stack_used(const struct hal_stack *stack);

/**
 * Get locked, zeroed memory for the pools of the nucleus; a fork does not inherit it.
 * Returns NULL if there is none. Context: linux.
 */
void *hal_memory_get(size_t bytes);
void hal_memory_put(void *memory, size_t bytes);

/**
 * Make a context that calls entry(arg) on the stack when it is first switched to, stalled.
 * shadow: the shadow whose thread-local storage the context uses. NULL: the context gets the page
 *         of the light tasks, on which any use of thread-local storage faults.
 * Context: any.
 */
void hal_context_prepare(struct hal_context *context, const struct hal_stack *stack,
			 struct hal_shadow *shadow, void (*entry)(void *arg), void *arg);
void hal_context_discard(struct hal_context *context);

/**
 * Save the caller in from and continue in to: callee-saved registers, stack, floating-point control
 * words and, if they differ, the TLS base. Returns when another context switches back to from,
 * perhaps on another CPU.
 * Context: stalled.
 */
void hal_context_switch(struct hal_context *from, struct hal_context *to);

/* Where a saved context will continue, and its frame pointer there, as hal_backtrace() wants them.
 * Context: stalled, on the CPU that would switch to it. */
void hal_context_place(const struct hal_context *context, uintptr_t *ip, uintptr_t *fp);

#endif
