/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spinning, and what it costs; the same on every back end whose time is real. */
#include "spin.h"

#include "arch/self.h"
#include "back_end.h"
#include "port.h"

#define GAP_TICKS 1024u /* less is not worth the calculation, which delays the release */

/* Only the CPU itself writes it; any thread reads it. */
static void note_max(_Atomic uint64_t *max, uint64_t value)
{
	if (value > atomic_load_explicit(max, memory_order_relaxed))
		atomic_store_explicit(max, value, memory_order_relaxed);
}

void linux_spun(struct linux_port *port, uint64_t ns, uint64_t gap_ns)
{
	uint64_t sum = atomic_load_explicit(&port->spun_ns, memory_order_relaxed);

	atomic_store_explicit(&port->spun_ns, sum + ns, memory_order_relaxed);
	note_max(&port->gap_max_ns, gap_ns);
}

void linux_woken(struct linux_port *port, uint64_t late_ns)
{
	note_max(&port->wake_late_max_ns, late_ns);
}

void hal_waiting(struct hal_cpu *cpu, struct hal_waiting *waiting)
{
	struct linux_port *port = linux_port_of(cpu);

	waiting->spun_ns = atomic_load_explicit(&port->spun_ns, memory_order_relaxed);
	waiting->gap_max_ns = atomic_load_explicit(&port->gap_max_ns, memory_order_relaxed);
	waiting->wake_late_max_ns =
		atomic_load_explicit(&port->wake_late_max_ns, memory_order_relaxed);
}

/*
 * Only the counter is read, because that takes a third of the time of the clock; a pause would cost
 * more than the precision that is wanted here. The time is known, so it is added to the sum before
 * the loop: work after the end would delay the release.
 */
uint64_t hal_spin_until(uint64_t instant_ns)
{
	struct hal_self *self = hal_arch_self();
	uint64_t until_ticks = backend_ticks_at(instant_ns);
	uint64_t now_ticks = hal_arch_ticks();
	bool on_cpu = self && self->kind == HAL_SELF_CPU;

	if (now_ticks >= until_ticks)
		return now_ticks;
	if (on_cpu)
		linux_spun(linux_port_of((struct hal_cpu *)self),
			   hal_ticks_to_ns(until_ticks - now_ticks), 0);
	do
		now_ticks = hal_arch_ticks();
	while (now_ticks < until_ticks);
	/* Only a gap that includes the end counts here. */
	if (__builtin_expect(on_cpu && now_ticks - until_ticks > GAP_TICKS, 0))
		note_max(&linux_port_of((struct hal_cpu *)self)->gap_max_ns,
			 hal_ticks_to_ns(now_ticks - until_ticks));
	return now_ticks;
}

void linux_gravity_of(const struct hal_cpu *cpu, const struct hal_gravity *usual,
		      struct hal_gravity *gravity)
{
	*gravity = linux_port_of(cpu)->gravity;
	if (!gravity->handler_ns)
		gravity->handler_ns = usual->handler_ns;
	if (!gravity->light_ns)
		gravity->light_ns = usual->light_ns;
	if (!gravity->task_ns)
		gravity->task_ns = usual->task_ns;
}
