/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The switch in builds with a sanitizer, which is told before and after it. */
#include "arch/context.h"

void hal_arch_switch(struct hal_context *from, struct hal_context *to)
{
	hal_arch_sanitizer_leave(from, to);
	hal_arch_swap(from, to);
	hal_arch_sanitizer_arrive(from);
}

void hal_arch_switch_last(struct hal_context *from, struct hal_context *to)
{
	hal_arch_sanitizer_leave_last(from, to);
	hal_arch_swap(from, to);
	__builtin_unreachable();
}
