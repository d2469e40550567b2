/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dispatcher's Linux priority follows that of the running task, if Linux threads may use its
 * CPU, too: threads of other programs while they share it, or shadows that have no other CPU. A low
 * dispatcher may be starved when something more urgent becomes due. So every event goes through the
 * helper (helper.c). The helper is above all others on this CPU: it raises the dispatcher before it
 * sends the signal, and the end of the event lowers the dispatcher again.
 *
 * If more urgent threads keep the CPU of a Linux thread, the thread continues on another CPU. A
 * dispatcher is pinned to one. So the housekeeper looks for dispatchers that are starved, and moves
 * them (follow_move.c).
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
 * Only the dispatcher lowers its priority, and only the helper raises it from outside; both run on
 * this CPU. The helper may come between the dispatcher's check for events and the kernel's
 * lowering. Then it sees `moving`, and raises until a raise has come after the lowering. It signals
 * the event only after that, so that the lowering at the event's end comes last.
 */
static void move(struct thread_port *port, unsigned wanted)
{
	volatile uint32_t *pending = &port->common.cpu->self.pending;

	const unsigned now = atomic_load_explicit(&port->followed, memory_order_relaxed);

	if (wanted == now || (wanted < now && !linux_may_raise()))
		return;
	atomic_store(&port->moving, 1);
	if (atomic_load(&port->doorbell->kick) || *pending) {
		/* Also if the kicker has only set the word: this dispatcher may starve it. */
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

/* Context: the dispatcher, which is about to get another user. */
void thread_follow_keep(struct thread_port *port)
{
	if (!atomic_load_explicit(&port->follows, memory_order_relaxed))
		return;
	call_scheduler(port->common.tid, linux_program.priority);
	atomic_store(&port->followed, linux_program.priority);
}

/*
 * Shots use the other means from now on. A shot that was about to come by the former means comes
 * once more, as an event that brings nothing. `follows` is set first, for kickers, which read it
 * after they have set the word: either move(), which lowers this CPU later, sees the word, or the
 * kicker sees that it follows.
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
 * A sleeping dispatcher disturbs no thread and must wake in time, so it has its full priority. One
 * that spins all the time is below all threads that compute, and the shot at the deadline must
 * raise it. What is armed for the task that ran stays until then.
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
