/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals of this back end. A signal that is not for the back end goes on to the former
 * handler.
 */
#define _GNU_SOURCE
#include "signals.h"

#include "back_end.h"
#include "handlers.h"
#include "program.h"
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
