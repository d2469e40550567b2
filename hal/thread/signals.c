/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals of this back end. A signal that is not for the back end goes on to the former
 * handler.
 */
#define _GNU_SOURCE
#include "signals.h"

#include "arch/self.h"
#include "back_end.h"
#include "call.h"
#include "handlers.h"
#include "program.h"
#include "shadow/record.h"
#include "thread.h"

/*
 * Events and Linux calls are handled on the running task's stack, because the task may be switched
 * out inside. Faults are handled on the thread's own stack, because the task's stack may be what is
 * broken. Each handler begins with events blocked: an event before the stall bit is set would
 * switch away while the thread's only fault stack is in use, or put a third frame on the task's
 * stack.
 */
#define HANDLER(number, function, how)                                     \
	{                                                                  \
		.signal = (number), .handler = (function), .flags = (how), \
		.way_back = hal_arch_restorer                              \
	}

/* The handlers of faults and calls are set when the library is loaded. */
static struct linux_handler handlers[] = {
	HANDLER(THREAD_SIGNAL_EVENT, hal_arch_event, 0),
	HANDLER(SIGSYS, NULL, 0),
	HANDLER(SIGSEGV, NULL, SA_ONSTACK),
	HANDLER(SIGBUS, NULL, SA_ONSTACK),
	HANDLER(SIGFPE, NULL, SA_ONSTACK),
	HANDLER(SIGILL, NULL, SA_ONSTACK),
	HANDLER(SIGTRAP, NULL, SA_ONSTACK),
};
#define HANDLERS (sizeof(handlers) / sizeof(handlers[0]))

static void *handler_of(const struct linux_handler *handler,
			const struct thread_signal_handlers *to)
{
	switch (handler->signal) {
	case THREAD_SIGNAL_EVENT:
		return handler->handler;
	case SIGSYS:
		return (void *)to->linux_call;
	default:
		return (void *)to->fault;
	}
}

void thread_signals_serve(const struct thread_signal_handlers *to)
{
	for (size_t i = 0; i < HANDLERS; i++)
		handlers[i].handler = handler_of(&handlers[i], to);
}

void thread_signals_install(void)
{
	thread_program.dispatcher_mask = ~0ull;
	for (size_t i = 0; i < HANDLERS; i++) {
		thread_program.dispatcher_mask &= ~LINUX_BIT(handlers[i].signal);
		/* If the handler of SIGSYS makes a Linux call on a thread whose calls are handed
		 * back to it, the program ends, as it does when no handler exists. */
		linux_handler_install(
			&handlers[i],
			LINUX_BIT(THREAD_SIGNAL_EVENT) |
				(handlers[i].signal == SIGSYS ? LINUX_BIT(SIGSYS) : 0));
	}
}

void thread_signals_restore(bool all)
{
	for (size_t i = 0; i < HANDLERS; i++)
		if (all ||
		    (handlers[i].signal != SIGSYS && handlers[i].signal != LINUX_SIGNAL_SETXID))
			linux_handler_restore(&handlers[i]);
}

void backend_signals_forked(void)
{
	for (size_t i = 0; i < HANDLERS; i++)
		linux_handler_restore(&handlers[i]);
}

static struct linux_handler *find(int signal)
{
	struct linux_handler *handler = handlers;

	while (handler->signal != signal)
		handler++;
	return handler;
}

struct linux_handler *backend_handler_of(int signal)
{
	for (size_t i = 0; i < HANDLERS; i++)
		if (handlers[i].signal == signal && signal != THREAD_SIGNAL_EVENT)
			return &handlers[i];
	return NULL;
}

bool thread_signal_is_handled(int signal)
{
	return linux_handler_has_next(find(signal));
}

void thread_signal_chain(int signal, siginfo_t *info, void *ucontext)
{
	linux_handler_chain(find(signal), info, ucontext);
}

/* The C library's restorer is taken from its own handler. */
void thread_signal_pass(int signal, siginfo_t *info, void *ucontext)
{
	linux_handler_pass(find(signal), find(LINUX_SIGNAL_SETXID)->former.restorer, info,
			   ucontext);
}

/*
 * Signals of faults and of refused calls that were sent to the program. A dispatcher cannot block
 * these, so Linux may choose it; but the program's handlers must run on the program's threads.
 * Source: rt_sigqueueinfo(2).
 */
static bool takes(const struct hal_shadow *shadow, int signal)
{
	return atomic_load(&shadow->parked) && shadow->tls && !(shadow->mask & LINUX_BIT(signal));
}

/*
 * A parked shadow blocks all signals, but its task takes those that it does not block. If no task
 * takes the signal, the first thread gets it: Linux prefers that thread, so it blocks the signal at
 * this moment, and keeps it pending as on Linux.
 */
static uint32_t find_thread(int signal)
{
	const uint32_t first = (uint32_t)linux_program.pid;
	uint32_t found = first;

	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!takes(shadow, signal))
			continue;
		if (shadow->tid == first)
			return first;
		found = shadow->tid;
	}
	return found;
}

void thread_signal_forward(int signal, siginfo_t *info)
{
	if (!thread_signal_is_handled(signal)) {
		thread_signal_chain(signal, info, NULL);
		return;
	}
	/* Linux accepts SI_USER only for signals that a thread sends to itself. */
	if (info->si_code == SI_USER)
		info->si_code = SI_QUEUE;
	(void)hal_arch_syscall(SYS_rt_tgsigqueueinfo, linux_program.pid, find_thread(signal),
			       signal, (long)info, 0, 0);
}
