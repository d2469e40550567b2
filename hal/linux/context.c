/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Contexts: the arch part does the work. This part chooses the thread-local storage of a
 * context. */
#include "arch/context.h"
#include "light.h"
#include "shadow/record.h"

void hal_context_prepare(struct hal_context *context, const struct hal_stack *stack,
			 struct hal_shadow *shadow, void (*entry)(void *arg), void *arg)
{
	hal_arch_prepare(context, stack->base, stack->bytes,
			 shadow ? shadow->tls : linux_light_base(), entry, arg);
	/* A thread begins with the access rights of its creator. The thread of the shadow exists by
	 * now. */
	hal_arch_rights_set(context, shadow ? shadow->memory_rights : HAL_ARCH_RIGHTS_FIRST);
}

void hal_context_discard(struct hal_context *context)
{
	hal_arch_discard(context);
}

void hal_context_switch(struct hal_context *from, struct hal_context *to)
{
	hal_arch_switch(from, to);
}
