/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * AddressSanitizer: every switch names the stack it goes to, and the stack that was left is told
 * back on arrival, so that contexts which were not prepared here (a Linux thread's own stack) know
 * theirs for the way back. A context keeps its fake stack in sanitizer.
 * Source: sanitizer/common_interface_defs.h and sanitizer/asan_interface.h of the compilers.
 */
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

#include "arch/context.h"

void hal_arch_sanitizer_prepare(struct hal_context *context)
{
	context->sanitizer = NULL;
}

void hal_arch_sanitizer_leave(struct hal_context *from, struct hal_context *to)
{
	__sanitizer_start_switch_fiber(&from->sanitizer, to->stack_base, to->stack_bytes);
}

void hal_arch_sanitizer_leave_last(struct hal_context *from, struct hal_context *to)
{
	(void)from;
	__sanitizer_start_switch_fiber(NULL, to->stack_base, to->stack_bytes);
}

void hal_arch_sanitizer_arrive(struct hal_context *previous, struct hal_context *self)
{
	const void *base;
	size_t bytes;

	__sanitizer_finish_switch_fiber(self ? self->sanitizer : NULL, &base, &bytes);
	previous->stack_base = base;
	previous->stack_bytes = bytes;
}

/* There is no call that frees another fibre's fake stack; it exists only with use-after-return. */
void hal_arch_discard(struct hal_context *context)
{
	context->sanitizer = NULL;
}

/* A flow that was abandoned in the middle leaves the red zones of its frames behind. */
void hal_arch_stack_clean(void *base, size_t bytes)
{
	__asan_unpoison_memory_region(base, bytes);
}
