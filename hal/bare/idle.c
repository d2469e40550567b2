/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Idling and shots: both arm the core's only timer by a call of the module, which costs some fifty
 * instructions and no Linux. An idle core is masked: an expiry or a kick is a bit in its user page.
 * The core polls the bit, or the bit ends its halt; no upcall is involved.
 */
#include "bare.h"

#include "arch/self.h"
#include "back_end.h"
#include "device.h"
#include "spin.h"

static void arm(struct bare_core *core, uint64_t instant_ns)
{
	/* This instant is armed already, and has not come. */
	if (atomic_load_explicit(&core->port.armed_ns, memory_order_relaxed) == instant_ns)
		return;
	atomic_store_explicit(&core->port.armed_ns, instant_ns, memory_order_relaxed);
	core_arm(instant_ns == HAL_NO_DEADLINE ? 0 : backend_ticks_at(instant_ns));
}

static bool has_come(const struct linux_port *port)
{
	const struct bare_core *core = bare_core_of(port->cpu);

	return __atomic_load_n(&core->user->events, __ATOMIC_ACQUIRE) || port->cpu->self.pending;
}

static void halt_until(struct bare_core *core, uint64_t instant_ns)
{
	uint64_t now_ns;

	if (has_come(&core->port))
		return;
	arm(core, instant_ns);
	core_halt();
	now_ns = hal_now_ns();
	if (now_ns > instant_ns)
		linux_woken(&core->port, now_ns - instant_ns);
}

void hal_idle(struct hal_cpu *cpu, uint64_t deadline_ns, uint32_t lead_ns)
{
	struct bare_core *core = bare_core_of(cpu);
	uint64_t target_ns = deadline_ns;

	if (deadline_ns != HAL_NO_DEADLINE)
		target_ns = deadline_ns > lead_ns ? deadline_ns - lead_ns : 0;
	bare_mask(core);
	if (linux_program.idle != HAL_IDLE_SPIN) {
		uint64_t early_ns =
			linux_program.idle == HAL_IDLE_HYBRID ? core->port.gravity.idle_ns : 0;

		if (target_ns == HAL_NO_DEADLINE)
			halt_until(core, HAL_NO_DEADLINE);
		else if (hal_now_ns() + early_ns < target_ns)
			halt_until(core, target_ns - early_ns);
	}
	if (linux_program.idle == HAL_IDLE_HYBRID && target_ns != HAL_NO_DEADLINE) {
		/* If only the timer has ended the halt, the core spins for the rest. */
		if (bare_take(core) & ~TACT_BARE_EVENT_TIMER)
			cpu->self.pending = 1;
		linux_spin_until(&core->port, target_ns, has_come);
	} else if (linux_program.idle == HAL_IDLE_SPIN) {
		linux_spin_until(&core->port, target_ns, has_come);
	}
	/* The nucleus checks for logged events after the return; events from here on are delivered
	 * to it. */
	(void)bare_take(core);
	cpu->self.pending = 0;
	bare_unmask(core);
}

void hal_shot(struct hal_cpu *cpu, uint64_t deadline_ns)
{
	struct bare_core *core = bare_core_of(cpu);
	uint64_t early_ns = core->port.gravity.preempt_ns;
	uint64_t instant_ns = deadline_ns > early_ns ? deadline_ns - early_ns : 0;

	/* A superfluous shot is an event that brings nothing; cancelling it would cost as much. */
	if (deadline_ns == HAL_NO_DEADLINE)
		return;
	if (instant_ns <= hal_now_ns())
		cpu->self.pending = 1; /* delivered when the section ends */
	else
		arm(core, instant_ns);
}

uint32_t hal_event_cost_ns(const struct hal_cpu *cpu)
{
	(void)cpu;
	return 2 * BARE_INTERRUPT_NS; /* there and back */
}

uint32_t hal_gravity_preempt_ns(struct hal_cpu *cpu)
{
	return linux_port_of(cpu)->gravity.preempt_ns;
}
