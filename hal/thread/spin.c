/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spinning, and what it costs; the same on every back end whose time is real. */
#include "thread.h"

#include "arch/self.h"

void thread_spun(struct hal_cpu *cpu, uint64_t ns)
{
	struct thread_port *port = thread_port_of(cpu);
	uint64_t sum = atomic_load_explicit(&port->spun_ns, memory_order_relaxed);

	atomic_store_explicit(&port->spun_ns, sum + ns, memory_order_relaxed);
}

uint64_t hal_spun_ns(struct hal_cpu *cpu)
{
	return atomic_load_explicit(&thread_port_of(cpu)->spun_ns, memory_order_relaxed);
}

uint64_t hal_spin_until(uint64_t instant_ns)
{
	struct hal_self *self = hal_arch_self();
	uint64_t begin_ns = hal_now_ns();
	uint64_t begin_ticks = hal_arch_ticks();
	uint64_t now_ticks = begin_ticks;
	uint64_t wait_ticks;

	if (begin_ns >= instant_ns)
		return now_ticks;
	/* The last stretch by the counter alone: it is read in a third of the clock's time, and a
	 * pause would cost more than the precision that is wanted here. */
	wait_ticks = thread_time_ticks(instant_ns - begin_ns);
	do
		now_ticks = hal_arch_ticks();
	while (now_ticks - begin_ticks < wait_ticks);
	if (self && self->kind == HAL_SELF_CPU)
		thread_spun((struct hal_cpu *)self, instant_ns - begin_ns);
	return now_ticks;
}

void thread_gravity_of(const struct hal_cpu *cpu, const struct hal_gravity *usual,
		       struct hal_gravity *gravity)
{
	*gravity = ((const struct thread_port *)cpu->port)->gravity;
	if (!gravity->handler_ns)
		gravity->handler_ns = usual->handler_ns;
	if (!gravity->light_ns)
		gravity->light_ns = usual->light_ns;
	if (!gravity->task_ns)
		gravity->task_ns = usual->task_ns;
}
