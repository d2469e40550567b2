/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * AddressSanitizer. Every switch names the stack that it enters, and the sanitizer reports the
 * stack that was left. So a context that was not prepared here (a Linux thread's own stack) knows
 * its stack when it is entered again. A context keeps its fake stack in `sanitizer`. The
 * sanitizer's record of a thread depends on the TLS base, which a switch may change. So leaving is
 * told to the former record and arriving to the new one, each by a whole pair of calls. Source:
 * sanitizer/common_interface_defs.h and sanitizer/asan_interface.h of the compilers.
 */
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

#include "arch/context.h"

void hal_arch_sanitizer_prepare(struct hal_context *context)
{
	context->sanitizer = NULL;
}

/* If the sanitizer reports nothing, the known values stay. */
static void leave(void **fake, struct hal_context *from, const struct hal_context *to)
{
	const void *base = from->stack_base;
	size_t bytes = from->stack_bytes;

	__sanitizer_start_switch_fiber(fake, to->stack_base, to->stack_bytes);
	__sanitizer_finish_switch_fiber(NULL, &base, &bytes);
	from->stack_base = base;
	from->stack_bytes = bytes;
}

void hal_arch_sanitizer_leave(struct hal_context *from, struct hal_context *to)
{
	leave(&from->sanitizer, from, to);
}

void hal_arch_sanitizer_leave_last(struct hal_context *from, struct hal_context *to)
{
	leave(NULL, from, to);
}

void hal_arch_sanitizer_arrive(struct hal_context *self)
{
	void *none;

	__sanitizer_start_switch_fiber(&none, self->stack_base, self->stack_bytes);
	__sanitizer_finish_switch_fiber(self->sanitizer, NULL, NULL);
}

void hal_arch_sanitizer_thread(void)
{
	struct hal_context self = {0};

	leave(&self.sanitizer, &self, &self);
	hal_arch_sanitizer_arrive(&self);
}

bool hal_arch_sanitizer_calls(void)
{
	return true;
}

/* No call frees another fibre's fake stack, which exists only with use-after-return. */
void hal_arch_discard(struct hal_context *context)
{
	context->sanitizer = NULL;
}

/* A flow that was abandoned half-way leaves the red zones of its frames behind. */
void hal_arch_stack_clean(void *base, size_t bytes)
{
	__asan_unpoison_memory_region(base, bytes);
}
