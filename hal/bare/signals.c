/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults in secondary mode are Linux's signals, on the shadow's fault stack. Those of plain Linux
 * threads go on to the former handlers.
 */
#define _GNU_SOURCE
#include "bare.h"

#include "arch/context.h"
#include "arch/core.h"
#include "arch/self.h"
#include "back_end.h"
#include "fault_cause.h"
#include "handlers.h"
#include "shadow/record.h"
#include "shadow/shadow.h"

static void fault(int signal, siginfo_t *info, void *ucontext);

#define HANDLER(number)                                                    \
	{                                                                  \
		.signal = (number), .handler = fault, .flags = SA_ONSTACK, \
		.way_back = hal_arch_signal_return                         \
	}

static struct linux_handler handlers[] = {
	HANDLER(SIGSEGV), HANDLER(SIGBUS), HANDLER(SIGFPE), HANDLER(SIGILL), HANDLER(SIGTRAP),
};
#define HANDLERS (sizeof(handlers) / sizeof(handlers[0]))

struct linux_handler *backend_handler_of(int signal)
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
	shadow = linux_shadow_self();
	if (!shadow || !shadow->owner || info->si_code <= 0) {
		linux_handler_chain(backend_handler_of(signal), info, ucontext);
		return;
	}
	hal_arch_flags_clean();
	fault = linux_fault_of(signal, info, ucontext);
	if (linux_fault_is_programs(NULL, signal, fault.cause)) {
		linux_handler_chain(backend_handler_of(signal), info, ucontext);
		return;
	}
	nuc_upcall_shadow_fault(shadow->owner, &fault);
}

void bare_signals_install(void)
{
	for (size_t i = 0; i < HANDLERS; i++)
		linux_handler_install(&handlers[i], 0);
}

/* On this back end calls of shadows never trap. */
void backend_trap_off(struct hal_shadow *shadow)
{
	(void)shadow;
}

void bare_signals_restore(void)
{
	for (size_t i = 0; i < HANDLERS; i++)
		linux_handler_restore(&handlers[i]);
}

void backend_signals_forked(void)
{
	bare_signals_restore();
}
