/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Kicks. The module logs an event. If the core is not masked, the module makes it continue in
 * hal_arch_core_event, which reads the stall bit. If the bit is set, this code sets the pending
 * word and leaves the core masked; otherwise it sets the bit and delivers the event. So a kick does
 * not depend on any state of its target: it is an interrupt.
 */
#include "bare.h"

#include "arch/context.h"
#include "arch/self.h"
#include "device.h"

/*
 * A kick of the caller's own core is a word, of another core an interrupt by the module. On a core
 * the caller is stalled meanwhile, so that it stays on the core that it has found. An interrupt
 * orders what was written before it, and the interrupt controller merges kicks: so no state is
 * needed here.
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

/* No CPU of this back end sets `follows`: a core is above everything that Linux runs, and Linux
 * runs on other CPUs. */
void hal_cpu_follow(struct hal_cpu *cpu, unsigned linux_priority)
{
	(void)cpu;
	(void)linux_priority;
}
