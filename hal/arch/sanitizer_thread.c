/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ThreadSanitizer: every prepared context is a fibre. Switches synchronise (flag 0), as they do in
 * truth: the flow that continues sees everything that the former one did. Source:
 * sanitizer/tsan_interface.h of the compilers.
 */
#include <sanitizer/tsan_interface.h>

#include "arch/context.h"

void hal_arch_sanitizer_prepare(struct hal_context *context)
{
	context->sanitizer = __tsan_create_fiber(0);
}

void hal_arch_sanitizer_leave(struct hal_context *from, struct hal_context *to)
{
	from->sanitizer = __tsan_get_current_fiber();
	__tsan_switch_to_fiber(to->sanitizer, 0);
}

void hal_arch_sanitizer_leave_last(struct hal_context *from, struct hal_context *to)
{
	/* The fibre cannot destroy itself; the code that reuses the context discards it. */
	hal_arch_sanitizer_leave(from, to);
}

void hal_arch_sanitizer_arrive(struct hal_context *self)
{
	(void)self;
}

void hal_arch_sanitizer_thread(void)
{
}

bool hal_arch_sanitizer_calls(void)
{
	return true;
}

void hal_arch_discard(struct hal_context *context)
{
	if (context->sanitizer)
		__tsan_destroy_fiber(context->sanitizer);
	context->sanitizer = NULL;
}

void hal_arch_stack_clean(void *base, size_t bytes)
{
	(void)base;
	(void)bytes;
}
