/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Kicks. The module logs an event, and where the core is not masked lets it go on in
 * hal_arch_core_event, which looks at the stall bit: set, it leaves a mark in the pending word and
 * the core masked; clear, it sets the bit and delivers. So a kick needs no state of the target's to
 * be right: it is an interrupt.
 */
#include "bare.h"

#include "arch/context.h"
#include "arch/self.h"
#include "device.h"

/*
 * To the caller's own core: a word. To another one: an interrupt, by the module. Stalled meanwhile
 * on a core, so that the caller stays where it has looked. An interrupt orders what was written
 * before it, and kicks merge in the interrupt controller: there is nothing to be remembered here.
 */
void hal_kick(struct hal_cpu *cpu)
{
	uint32_t was_stalled;
	struct hal_self *self;

	if (!hal_arch_self()) {
		device_kick(cpu->index);
		return;
	}
	was_stalled = hal_arch_stall_exchange();
	self = hal_arch_self();
	if (self->kind != HAL_SELF_CPU) {
		self->stalled = was_stalled;
		device_kick(cpu->index);
		return;
	}
	if (self == &cpu->self)
		self->pending = 1;
	else
		core_kick(cpu->index);
	if (!was_stalled)
		hal_leave();
}

void hal_relax_processor(void)
{
	hal_arch_relax();
}

/* No CPU of this back end asks for it: a core is above everything that Linux runs, on another CPU.
 */
void hal_cpu_follow(struct hal_cpu *cpu, unsigned linux_priority)
{
	(void)cpu;
	(void)linux_priority;
}
