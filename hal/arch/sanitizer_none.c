/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Builds without a sanitizer: nothing must know on which stack the code runs. */
#include "arch/context.h"

void hal_arch_sanitizer_prepare(struct hal_context *context)
{
	(void)context;
}

void hal_arch_switch(struct hal_context *from, struct hal_context *to)
{
	hal_arch_swap(from, to);
}

void hal_arch_switch_last(struct hal_context *from, struct hal_context *to)
{
	hal_arch_swap(from, to);
	__builtin_unreachable();
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
	return false;
}

void hal_arch_discard(struct hal_context *context)
{
	(void)context;
}

void hal_arch_stack_clean(void *base, size_t bytes)
{
	(void)base;
	(void)bytes;
}
