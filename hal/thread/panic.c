/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where an event interrupted a task, and the end by panic. */
#define _GNU_SOURCE
#include "arch/context.h"
#include "arch/self.h"
#include "call.h"
#include "print.h"
#include "fault.h"
#include "fault_cause.h"
#include "thread.h"

/* The event's frame is on the task's stack, between the handler's frames and the task's. */
bool hal_interrupted(uintptr_t frame, uintptr_t stack_low, uintptr_t stack_high,
		     struct hal_fault *fault)
{
	while (frame >= stack_low && frame % sizeof(uintptr_t) == 0 &&
	       stack_high >= 2 * sizeof(uintptr_t) && frame <= stack_high - 2 * sizeof(uintptr_t)) {
		const uintptr_t *words = (const uintptr_t *)frame;
		const void *ucontext = hal_arch_signal_frame(words);
		struct hal_arch_frame at;

		if (ucontext) {
			hal_arch_frame_read(ucontext, &at);
			fault->ip = at.ip;
			fault->sp = at.sp;
			fault->fp = at.fp;
			return true;
		}
		if (words[0] <= frame)
			break;
		frame = words[0];
	}
	return false;
}

void thread_own_tls(void)
{
	struct hal_self *self = hal_arch_self();

	if (!self || self->kind != HAL_SELF_CPU)
		return;
	hal_arch_stall_exchange();
	hal_arch_tls_set(thread_port_of((struct hal_cpu *)self)->tls);
	call_trap_off();
}

/*
 * When the process is gone, Linux takes back what it gave, and the guardian restores the rest. So
 * it is enough to print the record and to end. Context: any thread.
 */
void hal_panic(const char *record)
{
	thread_own_tls();
	linux_end(record, SIGABRT);
}

void hal_end_program(const char *record, enum hal_fault_cause cause)
{
	thread_own_tls();
	linux_end(record, linux_fault_signal(cause));
}
