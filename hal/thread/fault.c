/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults. A fault of a task goes to the nucleus, which stops the task. A fault inside a nucleus
 * section ends the program with a record. A fault of a plain Linux thread goes to the program. A
 * fault of hal_copy() makes hal_copy() fail, on whatever thread.
 */
#define _GNU_SOURCE

#include "fault.h"

#include <stdio.h>

#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "cpu.h"
#include "event.h"
#include "fault_cause.h"
#include "shadow/record.h"
#include "shadow/shadow.h"
#include "signals.h"
#include "thread.h"

#define NEAR_BYTES 4096u

/* The nucleus runs on the stack of the task that calls it. The program must leave enough of that
 * stack. */
static bool is_stack_used_up(const struct hal_fault *fault)
{
	return fault->cause == HAL_FAULT_STACK ||
	       (fault->cause == HAL_FAULT_MEMORY &&
		fault->address - (fault->sp - NEAR_BYTES) < 2 * NEAR_BYTES);
}

static __attribute__((noreturn)) void nucleus_faulted(const struct hal_fault *fault, int error)
{
	const bool is_used_up = !error && is_stack_used_up(fault);
	uintptr_t callers[16];
	char record[2048], name[128];
	size_t count, length;

	thread_own_tls();
	length = (size_t)snprintf(record, sizeof(record),
				  "tactus: %s: fault %d %s at %#lx (address %#lx, stack %#lx)\n",
				  is_used_up ? "no stack is left" : "panic", (int)fault->cause,
				  error ? "that no task made" : "in a nucleus section",
				  (unsigned long)fault->ip, (unsigned long)fault->address,
				  (unsigned long)fault->sp);
	count = hal_backtrace(fault->ip, fault->fp, fault->sp, fault->sp + HAL_STACK_DEFAULT,
			      callers, 16);
	for (size_t i = 0; i < count && length < sizeof(record) - 160; i++) {
		name[hal_symbol(callers[i], name, sizeof(name) - 1)] = 0;
		length +=
			(size_t)snprintf(record + length, sizeof(record) - length, "  %s\n", name);
	}
	if (is_used_up)
		hal_end_program(record, fault->cause);
	hal_panic(record);
}

/*
 * Send the event that takes the task to its shadow. The task does not go there from here, the fault
 * stack of the thread: the event is blocked until the frame of the fault is gone, and then comes on
 * the task's stack before the task goes on. False if the last event for a fault has not
 * come: a task that has used up its stack has no room for the event's frame, and Linux reports that
 * as a fault that names no address. Then the original fault is reported.
 */
static bool is_sent(struct thread_port *port, const siginfo_t *info, struct hal_fault *fault)
{
	const uint64_t next = atomic_load_explicit(&port->common.signals, memory_order_relaxed) + 1;

	if (info->si_code == SI_KERNEL && port->fault_event == next) {
		if (port->fault.ip == fault->ip)
			*fault = port->fault;
		return false;
	}
	port->fault = *fault;
	port->fault_event = next;
	thread_signal_send(port);
	return true;
}

int thread_fault(int signal, siginfo_t *info, void *ucontext)
{
	struct hal_self *self = hal_arch_self();
	struct hal_fault fault;
	uint32_t was_stalled;
	int error;

	hal_arch_flags_clean();
	if (info->si_code > 0 && hal_arch_frame_mend(ucontext))
		return 0;
	/* A signal that was sent is no fault. */
	if (self && self->kind == HAL_SELF_CPU && info->si_code <= 0) {
		thread_signal_forward(signal, info);
		return 0;
	}
	if (!self || info->si_code <= 0) {
		thread_signal_chain(signal, info, ucontext);
		return 0;
	}
	fault = linux_fault_of(signal, info, ucontext);
	if (self->kind == HAL_SELF_SHADOW) {
		struct hal_shadow *shadow = linux_shadow_self();

		/* A thread that must end at its next call must not run a handler: a handler makes
		 * calls. */
		if (!shadow || !shadow->owner ||
		    (!shadow->trap.doomed && linux_fault_is_programs(NULL, signal, fault.cause))) {
			thread_signal_chain(signal, info, ucontext);
			return 0;
		}
		backend_trap_off(shadow);
		nuc_upcall_shadow_fault(shadow->owner, &fault);
		__builtin_unreachable();
	}
	was_stalled = hal_arch_stall_exchange();
	if (!was_stalled && linux_fault_is_programs((struct hal_cpu *)self, signal, fault.cause) &&
	    hal_arch_frame_repeat(ucontext) &&
	    is_sent(thread_port_of((struct hal_cpu *)self), info, &fault)) {
		self->stalled = 0;
		return 0;
	}
	thread_events_unblock();
	if (was_stalled)
		nucleus_faulted(&fault, 0);
	error = nuc_upcall_fault((struct hal_cpu *)self, &fault);
	nucleus_faulted(&fault, error);
}
