/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Entering and leaving a nucleus section. */
#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "shadow/shadow.h"

struct hal_cpu *hal_enter(void)
{
	struct hal_self *self = hal_arch_self();

	if (!self)
		return NULL;
	/* A thread that a shadow made has inherited the shadow's GS base, but must not touch the
	 * shadow's bit. */
	if (__builtin_expect(self->kind != HAL_SELF_CPU, 0) && !linux_shadow_self())
		return NULL;
	/* From here on the caller may be on another kernel thread or CPU than before. */
	self = hal_arch_self_stalled();
	if (__builtin_expect(self->kind == HAL_SELF_CPU, 1))
		return (struct hal_cpu *)self;
	self->stalled = 0;
	return NULL;
}

static __attribute__((noinline)) void leave_pending(void)
{
	do {
		struct hal_self *self = hal_arch_self_stalled();

		if (self->kind != HAL_SELF_CPU) {
			linux_shadow_unblock(self);
			return;
		}
		self->pending = 0;
		backend_event_deliver((struct hal_cpu *)self);
	} while (hal_arch_unstall());
}

void hal_leave(void)
{
	if (__builtin_expect(hal_arch_unstall(), 0))
		leave_pending();
}

bool hal_stalled(void)
{
	const struct hal_self *self = hal_arch_self();

	/* A task that is not stalled may move meanwhile; then the answer is no either way. */
	return self && self->kind == HAL_SELF_CPU && self->stalled;
}
