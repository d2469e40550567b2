/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shots at a running task, by the means that works on this kernel. Arming costs a system call, so
 * it is lazy: an earlier shot that is still armed stays, and its event makes the nucleus ask again.
 */
#include "shot.h"

#include "arch/self.h"
#include "options.h"
#include "program.h"
#include "thread.h"

#define PREDICT_ROOM_NS   20000u /* time that arming may take */
#define PREDICT_MARGIN_NS 1000u  /* releases do not come before their instant, but a request may */

static bool uses_helper(const struct thread_port *port)
{
	return thread_program.shot == LINUX_SHOT_HELPER ||
	       atomic_load_explicit(&port->follows, memory_order_relaxed);
}

static void arm(struct thread_port *port, uint64_t instant_ns)
{
	atomic_store(&port->common.armed_ns, instant_ns); /* Dekker: with the helper */
	if (uses_helper(port))
		thread_helper_arm(port, instant_ns);
	else
		thread_posix_arm(port, instant_ns);
}

void hal_shot(struct hal_cpu *cpu, uint64_t deadline_ns)
{
	struct thread_port *port = thread_port_of(cpu);
	uint64_t early_ns = port->common.gravity.preempt_ns;
	uint64_t instant_ns = deadline_ns > early_ns ? deadline_ns - early_ns : 0;

	if (deadline_ns == HAL_NO_DEADLINE)
		return;
	if (instant_ns > port->busy_since_ns &&
	    instant_ns - port->busy_since_ns < port->requested_ns)
		port->requested_ns = instant_ns - port->busy_since_ns;
	if (atomic_load_explicit(&port->common.armed_ns, memory_order_relaxed) <= instant_ns)
		return;
	if (instant_ns <= hal_now_ns()) {
		cpu->self.pending = 1; /* delivered when the section ends */
		return;
	}
	arm(port, instant_ns);
}

uint32_t hal_gravity_preempt_ns(struct hal_cpu *cpu)
{
	return thread_port_of(cpu)->common.gravity.preempt_ns;
}

uint32_t hal_event_cost_ns(const struct hal_cpu *cpu)
{
	(void)cpu;
	return thread_program.event_cost_ns;
}

void thread_shot_disarm(struct thread_port *port)
{
	if (atomic_load_explicit(&port->common.armed_ns, memory_order_relaxed) != HAL_NO_DEADLINE)
		arm(port, HAL_NO_DEADLINE);
}

void thread_shot_at_latest(struct thread_port *port, uint64_t instant_ns)
{
	if (atomic_load_explicit(&port->common.armed_ns, memory_order_relaxed) > instant_ns)
		arm(port, instant_ns);
}

/*
 * Arming is expensive if the kernel's timers are (measured: 8 µs on a virtual machine), and it
 * would delay the first microseconds of a release. Programs are periodic: what was requested after
 * the last idle time will be requested again after this one. All work is done now, so this is the
 * time to arm it. A shot that would come before the end of the idle time only disturbs, and is
 * replaced. A wrong guess costs one spurious event, or an arming later, as without the guess.
 */
void thread_shot_predict(struct thread_port *port, uint64_t target_ns)
{
	uint64_t armed_ns = atomic_load_explicit(&port->common.armed_ns, memory_order_relaxed);
	uint64_t instant_ns = HAL_NO_DEADLINE;

	if (hal_now_ns() + PREDICT_ROOM_NS >= target_ns)
		return;
	if (armed_ns <= target_ns || armed_ns == HAL_NO_DEADLINE) {
		if (target_ns != HAL_NO_DEADLINE && port->requested_ns != HAL_NO_DEADLINE &&
		    port->requested_ns > PREDICT_MARGIN_NS)
			instant_ns = target_ns + port->requested_ns - PREDICT_MARGIN_NS;
		if (armed_ns != instant_ns)
			arm(port, instant_ns);
	}
	if (uses_helper(port))
		thread_helper_settle(port, target_ns);
}
