/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults in secondary mode are Linux's signals, on the shadow's own stack for them. Plain Linux
 * threads' go on to whoever had them before.
 */
#define _GNU_SOURCE
#include "bare.h"

#include "arch/context.h"
#include "arch/core.h"
#include "arch/self.h"
#include "handlers.h"
#include "shadow.h"

static void fault(int signal, siginfo_t *info, void *ucontext);

#define HANDLER(number)                                                    \
	{                                                                  \
		.signal = (number), .handler = fault, .flags = SA_ONSTACK, \
		.way_back = hal_arch_signal_return                         \
	}

static struct thread_handler handlers[] = {
	HANDLER(SIGSEGV), HANDLER(SIGBUS), HANDLER(SIGFPE), HANDLER(SIGILL), HANDLER(SIGTRAP),
};
#define HANDLERS (sizeof(handlers) / sizeof(handlers[0]))

struct thread_handler *thread_handler_of(int signal)
{
	for (size_t i = 0; i < HANDLERS; i++)
		if (handlers[i].signal == signal)
			return &handlers[i];
	return NULL;
}

static void fault(int signal, siginfo_t *info, void *ucontext)
{
	const struct hal_shadow *shadow;
	struct hal_fault fault;

	if (info->si_code > 0 && hal_arch_frame_mend(ucontext))
		return;
	shadow = thread_shadow_self();
	if (!shadow || !shadow->owner || info->si_code <= 0) {
		thread_handler_chain(thread_handler_of(signal), info, ucontext);
		return;
	}
	hal_arch_flags_clean();
	fault = thread_fault_of(signal, info, ucontext);
	nuc_upcall_shadow_fault(shadow->owner, &fault);
}

void bare_signals_install(void)
{
	for (size_t i = 0; i < HANDLERS; i++)
		thread_handler_install(&handlers[i], 0);
}

/* Here calls of theirs never trap. */
void shadow_trap_off(struct hal_shadow *shadow)
{
	(void)shadow;
}

void bare_signals_restore(void)
{
	for (size_t i = 0; i < HANDLERS; i++)
		thread_handler_restore(&handlers[i]);
}

void thread_signals_forked(void)
{
	bare_signals_restore();
}
