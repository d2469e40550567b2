/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dispatcher's Linux priority follows the running task's, where Linux threads have a right to
 * its CPU: other programs' that share it, for as long as they do, or shadows that have no other
 * one. A dispatcher that is low may be starved when something more urgent becomes due, so every
 * event goes through the helper of shot_helper.c: above everybody on this CPU, it raises the
 * dispatcher before it sends the signal, and the event's end lowers it again.
 *
 * A thread of Linux's whose CPU is kept by more urgent ones goes on on another CPU. A dispatcher is
 * pinned to one, so the housekeeper looks for those that were starved, and moves them
 * (follow_move.c).
 */
#include "follow.h"

#include "call.h"
#include "options.h"
#include "program.h"
#include "rights.h"
#include "shot.h"
#include "thread.h"

#define AGAIN_NS 20000u

/*
 * Only the dispatcher lowers and only the helper raises from outside; both run on this CPU. The
 * helper may come between the look for events and the kernel's lowering: it sees moving then, and
 * raises until a raise has come after that. Until then the event is not signalled, so that the
 * lowering that belongs to it comes last.
 */
static void move(struct thread_port *port, unsigned wanted)
{
	volatile uint32_t *pending = &port->common.cpu->self.pending;

	const unsigned now = atomic_load_explicit(&port->followed, memory_order_relaxed);

	if (wanted == now || (wanted < now && !linux_may_raise()))
		return;
	atomic_store(&port->moving, 1);
	if (atomic_load(&port->bell->kick) || *pending) {
		/* Also if the kicker has not got further than the word: it may be starved by us. */
		*pending = 1;
		wanted = linux_program.priority;
	}
	if (wanted != atomic_load_explicit(&port->followed, memory_order_relaxed)) {
		call_scheduler(port->common.tid, wanted);
		atomic_store_explicit(&port->followed, wanted, memory_order_relaxed);
	}
	atomic_store(&port->moving, 0);
}

void hal_cpu_follow(struct hal_cpu *cpu, unsigned linux_priority)
{
	move(thread_port_of(cpu),
	     linux_priority < linux_program.priority ? linux_priority : linux_program.priority);
}

/* Context: the dispatcher, which is about to have another user. */
void thread_follow_keep(struct thread_port *port)
{
	if (!atomic_load_explicit(&port->follows, memory_order_relaxed))
		return;
	call_scheduler(port->common.tid, linux_program.priority);
	atomic_store(&port->followed, linux_program.priority);
}

/*
 * Shots go to the other means. One that was about to come by the former comes once more, as an
 * event that brings nothing. First of all it follows for those who kick it, who look after they
 * have set the word: move(), which lowers it later, sees the word then, or they see that it
 * follows.
 */
void thread_follow_change(struct thread_port *port)
{
	const bool follows = atomic_load(&thread_program.follows);
	uint64_t armed_ns;

	if (!follows)
		move(port, linux_program.priority);
	atomic_store(&port->follows, follows);
	port->common.cpu->follows = follows;
	armed_ns = atomic_load(&port->common.armed_ns);
	if (thread_program.shot != LINUX_SHOT_HELPER && armed_ns != HAL_NO_DEADLINE)
		thread_posix_arm(port, follows ? HAL_NO_DEADLINE : armed_ns);
	thread_helper_call(port);
}

/*
 * Asleep it is in nobody's way and has to be up in time. Spinning for ever it is below all who
 * compute, and the deadline has to raise it. What is armed for the task that ran stays until then.
 */
void thread_follow_idle(struct thread_port *port, uint64_t target_ns)
{
	if (linux_program.idle == HAL_IDLE_SPIN) {
		thread_shot_at_latest(port, target_ns);
		move(port, 0);
	} else {
		move(port, linux_program.priority);
	}
}

/* Context: the helper. */
void thread_follow_raise(struct thread_port *port)
{
	static _Atomic uint32_t never;
	bool moving;

	do {
		moving = atomic_load(&port->moving);
		if (moving || atomic_load(&port->followed) != linux_program.priority)
			call_scheduler(port->common.tid, linux_program.priority);
		if (moving) {
			struct timespec until = call_timespec(hal_now_ns() + AGAIN_NS);

			call_futex_wait(&never, 0, &until);
		}
	} while (moving);
	atomic_store(&port->followed, linux_program.priority);
}
