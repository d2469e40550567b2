/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals of this back end. One that is not for us goes on to whoever had it before.
 */
#define _GNU_SOURCE
#include "handlers.h"

#include "shadow.h"

/*
 * Events and Linux calls come on the running task's stack, because the task may be switched out
 * inside; faults on the thread's own, because the task's may be what is broken. Each begins with
 * events blocked: until the stall bit is set, one would switch away with the thread's only fault
 * stack in use, or put a third frame on the task's.
 */
#define HANDLER(number, function, how)                                     \
	{                                                                  \
		.signal = (number), .handler = (function), .flags = (how), \
		.way_back = hal_arch_restorer                              \
	}

static struct thread_handler handlers[] = {
	HANDLER(THREAD_SIGNAL_EVENT, hal_arch_event, 0), HANDLER(SIGSYS, thread_linux_call, 0),
	HANDLER(SIGSEGV, thread_fault, SA_ONSTACK),      HANDLER(SIGBUS, thread_fault, SA_ONSTACK),
	HANDLER(SIGFPE, thread_fault, SA_ONSTACK),       HANDLER(SIGILL, thread_fault, SA_ONSTACK),
	HANDLER(SIGTRAP, thread_fault, SA_ONSTACK),
};
#define HANDLERS (sizeof(handlers) / sizeof(handlers[0]))

void thread_signals_install(void)
{
	thread_program.dispatcher_mask = ~0ull;
	for (size_t i = 0; i < HANDLERS; i++) {
		thread_program.dispatcher_mask &= ~THREAD_BIT(handlers[i].signal);
		/* A Linux call where those of a thread are handed back to it is the program's end,
		 * as it is when nobody handles them. */
		thread_handler_install(
			&handlers[i],
			THREAD_BIT(THREAD_SIGNAL_EVENT) |
				(handlers[i].signal == SIGSYS ? THREAD_BIT(SIGSYS) : 0));
	}
	shadow_traps_begin();
}

/* What threads that trap need stays, for the next start, or for good: others' it hands on. */
void thread_signals_restore(void)
{
	const bool all = shadow_traps_end();

	for (size_t i = 0; i < HANDLERS; i++)
		if (all ||
		    (handlers[i].signal != SIGSYS && handlers[i].signal != THREAD_SIGNAL_SETXID))
			thread_handler_restore(&handlers[i]);
}

void thread_signals_forked(void)
{
	for (size_t i = 0; i < HANDLERS; i++)
		thread_handler_restore(&handlers[i]);
}

static struct thread_handler *find(int signal)
{
	struct thread_handler *handler = handlers;

	while (handler->signal != signal)
		handler++;
	return handler;
}

struct thread_handler *thread_handler_of(int signal)
{
	for (size_t i = 0; i < HANDLERS; i++)
		if (handlers[i].signal == signal && signal != THREAD_SIGNAL_EVENT)
			return &handlers[i];
	return NULL;
}

bool thread_signal_is_handled(int signal)
{
	return thread_handler_has_next(find(signal));
}

void thread_signal_chain(int signal, siginfo_t *info, void *ucontext)
{
	thread_handler_chain(find(signal), info, ucontext);
}

/* The C library's way back is known by its own handler. */
void thread_signal_pass(int signal, siginfo_t *info, void *ucontext)
{
	thread_handler_pass(find(signal), find(THREAD_SIGNAL_SETXID)->former.restorer, info,
			    ucontext);
}
