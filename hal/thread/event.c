/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event signal: kicks of a running task, and shots. While a task is switched out, at most one
 * frame of this signal is on its stack. At most two signal frames are there at any time: the kernel
 * blocks events when a handler begins. The handler lets them in again when it holds the stall bit,
 * and the one frame that may come then only logs. The task may come back on another kernel thread.
 */
#define _GNU_SOURCE

#include "event.h"

#include <string.h>

#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "call.h"
#include "follow.h"
#include "secondary/signal_storm.h"
#include "setxid.h"
#include "shadow/record.h"
#include "thread.h"

void backend_event_deliver(struct hal_cpu *cpu)
{
	/*
	 * The word is reset before the nucleus reads its inbox: a kick from now on is a new one.
	 * The exchange acquires what the kicker published (its pair is in hal_kick()).
	 */
	atomic_exchange(&thread_port_of(cpu)->doorbell->kick, DOORBELL_KICK_NONE);
	thread_bells_take(thread_port_of(cpu));
	thread_follow_check(thread_port_of(cpu));
	nuc_upcall_event(cpu);
}

void thread_events_unblock(void)
{
	call_sigmask(SIG_SETMASK, &thread_program.dispatcher_mask, NULL);
}

void thread_frame_adapt(void *frame)
{
	struct hal_self *self = hal_arch_self();
	ucontext_t *ucontext = frame;
	uint64_t mask;

	if (self->kind == HAL_SELF_CPU) {
		const struct thread_port *port = ((struct hal_cpu *)self)->port;

		mask = thread_program.dispatcher_mask;
		ucontext->uc_stack = port->fault_stack;
	} else {
		const struct hal_shadow *shadow = (struct hal_shadow *)self;

		/* The frame restores the task's signal mask, so the end of the section need not. */
		mask = shadow->trap.doomed ? shadow->trap.doomed_mask : shadow->mask;
		self->pending = 0;
		call_sigaltstack(NULL, &ucontext->uc_stack);
		ucontext->uc_stack.ss_flags &= ~SS_ONSTACK;
	}
	/* The kernel's frame holds 64 signals; the bytes behind them do not belong to a
	 * sigset_t. */
	memcpy(&ucontext->uc_sigmask, &mask, sizeof(mask));
}

/* Called by restorer.S with the stall bit set; was_stalled is its former value. */
int thread_event(int signal, siginfo_t *info, void *ucontext, uint32_t was_stalled)
{
	struct hal_self *self = hal_arch_self();
	struct thread_port *port = ((struct hal_cpu *)self)->port;

	(void)signal;
	hal_arch_flags_clean();
	if (info->si_code == SI_TKILL)
		return thread_setxid(info, ucontext, was_stalled);
	signal_storm_count(&port->common);
	if (info->si_code == SI_TIMER && info->si_timerid == port->timer)
		atomic_store_explicit(&port->common.armed_ns, HAL_NO_DEADLINE,
				      memory_order_relaxed);
	if (was_stalled) {
		self->pending = 1;
		return 0;
	}
	if (hal_arch_event_merge(ucontext)) {
		self->pending = 1;
		return 0;
	}
	thread_events_unblock();
	self->pending = 0;
	backend_event_deliver((struct hal_cpu *)self);
	thread_frame_adapt(ucontext);
	return 1;
}

/* An event was logged while the handler ran: deliver it on the existing frame. */
void thread_event_replay(void *ucontext)
{
	struct hal_self *self = hal_arch_self_stalled();

	if (self->kind == HAL_SELF_CPU) {
		self->pending = 0;
		thread_events_unblock(); /* a handler that is not ours may have ended here */
		backend_event_deliver((struct hal_cpu *)self);
	}
	thread_frame_adapt(ucontext);
}
