/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a processor family supplies to the back ends: contexts. For another family, add a folder
 * beside x86_64 that implements the functions below; the sanitizer part is common to all.
 */
#ifndef ARCH_CONTEXT_H
#define ARCH_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/context.h"

/* What a signal frame says about the interrupted code. */
struct hal_arch_frame {
	uintptr_t ip;
	uintptr_t sp;
	uintptr_t fp;
};

/* From here on access rights by protection keys belong to contexts, if the processor has keys. */
void hal_arch_keys_start(void);
/* The caller's rights. Before hal_arch_keys_start(), and without keys: those of a new process. */
uint32_t hal_arch_rights(void);
#define HAL_ARCH_RIGHTS_FIRST 0x55555554u /* to keyless memory. Source: Linux, init_pkru_value */

/*
 * A context that calls entry(arg) on [stack_base, stack_base + bytes) when it is first switched to.
 * Entry must not return. thread_pointer: TLS base, 0 leaves it as it is. Its rights are those of
 * the caller. Cost: O(1).
 */
void hal_arch_prepare(struct hal_context *context, void *stack_base, size_t bytes,
		      uint64_t thread_pointer, void (*entry)(void *arg), void *arg);

/* Let the context continue with these rights. */
void hal_arch_rights_set(struct hal_context *context, uint32_t rights);

/*
 * Make a saved context continue by calling entry(arg), on its own stack, as if at the place where
 * it was saved: so unwinding leads from entry to there. Entry must not return. Cost: O(1).
 */
void hal_arch_divert(struct hal_context *context, void (*entry)(void *arg), void *arg);

/* Save in from, continue in to; returns when a switch leads back. */
void hal_arch_switch(struct hal_context *from, struct hal_context *to);

/*
 * As hal_arch_switch(), but the caller's flow ends here: nothing is saved that could be resumed,
 * and the sanitizers forget it. Stack and context may be reused once another flow runs.
 */
void hal_arch_switch_last(struct hal_context *from, struct hal_context *to)
	__attribute__((noreturn));

/* Give back what the sanitizers hold for a context that will not run again. Not the caller's own.
 */
void hal_arch_discard(struct hal_context *context);

/* The bytes of an unused stack become plain memory again, for the sanitizers, too. */
void hal_arch_stack_clean(void *base, size_t bytes);

/* ucontext: the third argument of a signal handler. */
void hal_arch_frame_read(const void *ucontext, struct hal_arch_frame *frame);

/* Make the signal return to entry(arg) on the stack that ends at stack_top. Entry must not return.
 */
void hal_arch_frame_divert(void *ucontext, uintptr_t stack_top, void (*entry)(void *arg),
			   void *arg);

/*
 * Copy memory that may be missing on either side. Returns 0; or -TACT_EFAULT with an unknown part
 * copied, if the handler of the fault continues at hal_arch_copy_mended(ip). That function returns
 * 0 if the fault at ip is not of this copy.
 */
int hal_arch_copy(void *to, const void *from, size_t bytes) __attribute__((warn_unused_result));
uintptr_t hal_arch_copy_mended(uintptr_t ip);
/* The same for the frame of a signal, which then continues there. False: the fault is not of this
 * copy. */
bool hal_arch_frame_mend(void *ucontext);

/* Make the instruction of a fault run again when the signal returns: a breakpoint is reported
 * behind its instruction. False: the instruction has been executed, and would not fault again. */
bool hal_arch_frame_repeat(void *ucontext);
/* Where the breakpoint instruction begins that ends at ip. */
uintptr_t hal_arch_breakpoint(uintptr_t ip);

/* As hal_stack_minimum(). Cost: O(1); a system call the first time. */
size_t hal_arch_stack_minimum(void);

/* A pause hint for polling loops. */
void hal_arch_relax(void);

/* The calling thread will run prepared contexts, or lend them its TLS base. The sanitizer makes now
 * what it would make at the thread's first switch. Context: may call Linux. */
void hal_arch_sanitizer_thread(void);

/* Does the sanitizer make Linux calls of its own, wherever it reports something? */
bool hal_arch_sanitizer_calls(void);

/* Between switch.S and the sanitizer part. */
void hal_arch_swap(struct hal_context *from, struct hal_context *to);
void hal_arch_entered(struct hal_context *self);
void hal_arch_sanitizer_prepare(struct hal_context *context);
void hal_arch_sanitizer_leave(struct hal_context *from, struct hal_context *to);
void hal_arch_sanitizer_leave_last(struct hal_context *from, struct hal_context *to);
void hal_arch_sanitizer_arrive(struct hal_context *self);

#endif
