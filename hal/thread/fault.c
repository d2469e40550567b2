/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults. In a task they go to the nucleus, which stops the task; inside a nucleus section they end
 * the program with a record; on a plain Linux thread they are none of ours.
 */
#define _GNU_SOURCE
#include "thread.h"

#include <stdio.h>

#include "arch/context.h"
#include "call.h"

static __attribute__((noreturn)) void nucleus_faulted(const struct hal_fault *fault, int error)
{
	uintptr_t callers[16];
	char record[2048], name[128];
	size_t count, length;

	thread_own_tls();
	length = (size_t)snprintf(
		record, sizeof(record),
		"tactus: panic: fault %d %s at %#lx (address %#lx, stack %#lx)\n",
		(int)fault->cause, error ? "that no task made" : "in a nucleus section",
		(unsigned long)fault->ip, (unsigned long)fault->address, (unsigned long)fault->sp);
	count = hal_backtrace(fault->ip, fault->fp, fault->sp, fault->sp + HAL_STACK_DEFAULT,
			      callers, 16);
	for (size_t i = 0; i < count && length < sizeof(record) - 160; i++) {
		name[hal_symbol(callers[i], name, sizeof(name) - 1)] = 0;
		length +=
			(size_t)snprintf(record + length, sizeof(record) - length, "  %s\n", name);
	}
	hal_panic(record);
}

int thread_fault(int signal, siginfo_t *info, void *ucontext)
{
	struct hal_self *self = hal_arch_self();
	struct hal_arch_frame frame;
	struct hal_fault fault;
	uint32_t was_stalled;
	int error;

	hal_arch_flags_clean();
	/* Somebody sent it: not a fault. */
	if (!self || info->si_code <= 0) {
		thread_signal_chain(signal, info, ucontext);
		return 0;
	}
	hal_arch_frame_read(ucontext, &frame);
	fault = (struct hal_fault){
		.address = (uintptr_t)info->si_addr,
		.ip = frame.ip,
		.sp = frame.sp,
		.fp = frame.fp,
	};
	fault.cause = thread_fault_cause(signal, info, frame.sp);
	if (self->kind == HAL_SELF_SHADOW) {
		const struct hal_shadow *shadow = thread_shadow_self();

		if (!shadow) {
			thread_signal_chain(signal, info, ucontext);
			return 0;
		}
		nuc_upcall_shadow_fault(shadow->owner, &fault);
		__builtin_unreachable();
	}
	was_stalled = hal_arch_stall_exchange();
	thread_events_unblock();
	if (was_stalled)
		nucleus_faulted(&fault, 0);
	error = nuc_upcall_fault((struct hal_cpu *)self, &fault);
	nucleus_faulted(&fault, error);
}
