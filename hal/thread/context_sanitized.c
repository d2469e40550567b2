/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Contexts if AddressSanitizer is built in, instead of context.c. The sanitizer's record of a
 * thread depends on the TLS base, and says on which stack the thread is. So at any time at most one
 * flow may have a given base. An idle CPU goes back to its own base. A light task, which has no
 * storage, gets that of its CPU, because the sanitizer needs one.
 */
#include "arch/context.h"
#include "arch/self.h"
#include "program.h"
#include "shadow/record.h"
#include "thread.h"

void hal_context_prepare(struct hal_context *context, const struct hal_stack *stack,
			 struct hal_shadow *shadow, void (*entry)(void *arg), void *arg)
{
	hal_arch_prepare(context, stack->base, stack->bytes, shadow ? shadow->tls : 0, entry, arg);
	/* A thread begins with the access rights of its creator. The thread of the shadow exists by
	 * now. */
	hal_arch_rights_set(context, shadow ? shadow->memory_rights : HAL_ARCH_RIGHTS_FIRST);
}

void hal_context_discard(struct hal_context *context)
{
	hal_arch_discard(context);
}

static bool has_storage(const struct hal_context *context)
{
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		if (context->thread_pointer == thread_program.ports[i].tls)
			return false;
	return context->thread_pointer != 0;
}

void hal_context_switch(struct hal_context *from, struct hal_context *to)
{
	const struct hal_self *self = hal_arch_self();

	if (self->kind == HAL_SELF_CPU) {
		uint64_t own = thread_port_of((struct hal_cpu *)self)->tls;

		/* The context that is left has the base with which it was entered. */
		from->thread_pointer = hal_arch_tls();
		if (!has_storage(to))
			to->thread_pointer = own;
	}
	hal_arch_switch(from, to);
}
