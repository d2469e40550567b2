/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Contexts of tasks. */
#include "arch/context.h"
#include "shadow.h"
#include "state.h"

/* All flows share the host thread's thread-local storage: no base is ever switched. */
void hal_context_prepare(struct hal_context *context, const struct hal_stack *stack,
			 struct hal_shadow *shadow, void (*entry)(void *arg), void *arg)
{
	(void)shadow;
	hal_arch_prepare(context, stack->base, stack->bytes, 0, entry, arg);
}

void hal_context_discard(struct hal_context *context)
{
	hal_arch_discard(context);
}

void hal_context_switch(struct hal_context *from, struct hal_context *to)
{
	sim_engine.current->context = to;
	hal_arch_switch(from, to);
	sim_shadow_notice();
}
