/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A Linux call in primary mode. The kernel hands it back as SIGSYS (Syscall User Dispatch). The
 * nucleus moves the task to its shadow, and there the call is made again and executed. Source:
 * Linux Documentation/admin-guide/syscall-user-dispatch.rst.
 */
#define _GNU_SOURCE

#include "trap.h"

#include <stdio.h>

#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "base/error.h"
#include "call.h"
#include "clock.h"
#include "event.h"
#include "fault.h"
#include "program.h"
#include "secondary/signal_storm.h"
#include "shadow/record.h"
#include "signals.h"
#include "thread.h"

static __attribute__((noreturn)) void nucleus_called(long number, uintptr_t ip)
{
	char record[128];

	thread_own_tls();
	snprintf(record, sizeof(record),
		 "tactus: panic: Linux call %ld at %#lx inside a nucleus section\n", number,
		 (unsigned long)ip);
	hal_panic(record);
}

/*
 * Is this a call that the task did not make itself, in a build with a sanitizer? A report about a
 * nucleus section must get out, and the sanitizer asks for the signal stack before each call that
 * does not return.
 */
static bool is_sanitizers(const struct hal_self *self, long number)
{
	return hal_arch_sanitizer_calls() && self->kind == HAL_SELF_CPU &&
	       (self->stalled || number == SYS_sigaltstack);
}

/*
 * Does the call wake threads that wait in Linux? It never waits itself, and has the same effect
 * from every thread of the program. Source: futex(2).
 */
static bool is_wake_up(const struct hal_self *self, const siginfo_t *info, const void *ucontext)
{
	if (self->kind != HAL_SELF_CPU || self->stalled || info->si_syscall != SYS_futex ||
	    !hal_arch_call_is_native(info->si_arch))
		return false;
	switch (hal_arch_call_second(ucontext) & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return true;
	default:
		return false;
	}
}

/*
 * A call of a task that was stopped in the middle of the C library's own work, in secondary mode.
 * There calls are handed back only for this purpose. The task may wait here for long, or go on from
 * here to its end, and must not keep another thread's setuid() waiting.
 */
static void stopped_calls(struct hal_shadow *shadow, long number, void *ucontext)
{
	const uint64_t let_in = LINUX_BIT(LINUX_SIGNAL_SETXID) | LINUX_BIT(SIGSYS);

	call_sigmask(SIG_UNBLOCK, &let_in, NULL);
	if (!hal_linux_call_is_inner(number)) {
		/* First of all: a sanitizer makes calls before a function that does not return. */
		backend_trap_off(shadow);
		nuc_upcall_shadow_calls(shadow->owner);
	}
	hal_arch_call_result(ucontext, hal_arch_call_make(ucontext, number));
}

/*
 * Three kinds of calls are answered in place: reading a clock that the vDSO cannot read in user
 * mode, and a wake-up, which are no reason to change the mode; and calls of a sanitizer.
 */
int thread_linux_call(int signal, siginfo_t *info, void *ucontext)
{
	struct hal_self *self = hal_arch_self();
	uintptr_t ip = (uintptr_t)info->si_call_addr;
	uint32_t was_stalled;
	int error;

	hal_arch_flags_clean();
	if (self && self->kind == HAL_SELF_CPU && info->si_code <= 0) {
		thread_signal_forward(signal, info);
		return 0;
	}
	if (!self && info->si_code == SYS_USER_DISPATCH) {
		/* The thread itself has asked Linux to trap its calls. */
		thread_signal_pass(signal, info, ucontext);
		return 0;
	}
	if (!self || info->si_code != SYS_USER_DISPATCH) {
		thread_signal_chain(signal, info, ucontext);
		return 0;
	}
	if (thread_time_is_vdso(ip) || is_wake_up(self, info, ucontext) ||
	    is_sanitizers(self, info->si_syscall)) {
		hal_arch_call_result(ucontext, hal_arch_call_make(ucontext, info->si_syscall));
		return 0;
	}
	if (self->kind == HAL_SELF_SHADOW) {
		stopped_calls((struct hal_shadow *)self, info->si_syscall, ucontext);
		return 0;
	}
	if (self->kind == HAL_SELF_CPU) {
		if (thread_program.ports)
			signal_storm_count(&thread_port_of((struct hal_cpu *)self)->common);
		was_stalled = hal_arch_stall_exchange();
		thread_events_unblock();
		if (was_stalled)
			nucleus_called(info->si_syscall, ip);
		error = nuc_upcall_linux_call((struct hal_cpu *)self, info->si_syscall, ip);
		if (error < 0) {
			hal_arch_call_result(ucontext, error);
			thread_frame_adapt(ucontext);
			return 1;
		}
		self = hal_arch_self();
		if (error)
			shadow_trap_on((struct hal_shadow *)self);
	}
	/* Secondary mode now, on the shadow. */
	hal_arch_call_rewind(ucontext, info->si_syscall);
	thread_frame_adapt(ucontext);
	self->stalled = 0;
	return 0;
}
