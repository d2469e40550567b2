/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's signal handlers, installed by the raw system call so that they return through its
 * own restorer. A signal that is not for us goes on to whoever had it before.
 */
#define _GNU_SOURCE
#include "thread.h"

#include "base/error.h"
#include "call.h"

#define SA_RESTORER_KERNEL 0x04000000ul

struct handled {
	int signal; /* 0: the event signal */
	void *handler;
	unsigned long flags;
	struct kernel_sigaction former;
};

/*
 * Events and Linux calls come on the running task's stack, because the task may be switched out
 * inside; faults on the thread's own, because the task's may be what is broken. Each begins with
 * events and 33 blocked: until the stall bit is set, an event would switch away with the thread's
 * only fault stack in use, or put a third frame on the task's.
 */
static struct handled handled[] = {
	{0, hal_arch_event, 0, {0}},
	{SIGSYS, thread_linux_call, 0, {0}},
	{SIGSEGV, thread_fault, SA_ONSTACK, {0}},
	{SIGBUS, thread_fault, SA_ONSTACK, {0}},
	{SIGFPE, thread_fault, SA_ONSTACK, {0}},
	{SIGILL, thread_fault, SA_ONSTACK, {0}},
	{SIGTRAP, thread_fault, SA_ONSTACK, {0}},
	{THREAD_SIGNAL_SETXID, thread_setxid, 0, {0}},
};
#define HANDLED (sizeof(handled) / sizeof(handled[0]))

static int free_signal(void)
{
	for (int signal = THREAD_SIGNAL_FIRST; signal >= THREAD_SIGNAL_LAST; signal--) {
		struct kernel_sigaction now;

		if (!call_sigaction(signal, NULL, &now) && now.handler == (void *)SIG_DFL)
			return signal;
	}
	return 0;
}

int thread_signals_install(void)
{
	thread_program.signal = free_signal();
	if (!thread_program.signal)
		return -TACT_EBUSY;
	handled[0].signal = thread_program.signal;
	thread_program.dispatcher_mask = ~0ull;
	for (size_t i = 0; i < HANDLED; i++) {
		struct kernel_sigaction action = {
			.handler = handled[i].handler,
			.flags = handled[i].flags | SA_SIGINFO | SA_RESTART | SA_NODEFER |
				 SA_RESTORER_KERNEL,
			.restorer = hal_arch_restorer,
			.mask = THREAD_BIT(thread_program.signal) |
				THREAD_BIT(THREAD_SIGNAL_SETXID),
		};

		thread_program.dispatcher_mask &= ~THREAD_BIT(handled[i].signal);
		call_sigaction(handled[i].signal, &action, &handled[i].former);
	}
	return 0;
}

/* Whoever replaced a handler of ours meanwhile keeps what it installed. */
void thread_signals_restore(void)
{
	for (size_t i = 0; i < HANDLED; i++) {
		struct kernel_sigaction now;

		call_sigaction(handled[i].signal, NULL, &now);
		if (now.handler == handled[i].handler)
			call_sigaction(handled[i].signal, &handled[i].former, NULL);
	}
}

static struct handled *entry_of(int signal)
{
	struct handled *entry = handled;

	while (entry->signal != signal)
		entry++;
	return entry;
}

bool thread_signal_is_handled(int signal)
{
	const struct kernel_sigaction *former = &entry_of(signal)->former;

	return former->handler != (void *)SIG_DFL && former->handler != (void *)SIG_IGN;
}

void thread_signal_chain(int signal, siginfo_t *info, void *ucontext)
{
	const struct handled *entry = entry_of(signal);
	uint64_t mask;

	if (entry->former.handler == (void *)SIG_IGN && info->si_code <= 0)
		return;
	if (entry->former.handler == (void *)SIG_DFL || entry->former.handler == (void *)SIG_IGN) {
		struct kernel_sigaction none = {.handler = SIG_DFL};

		/* A fault happens again on return, with nobody to catch it; others are sent again.
		 */
		call_sigaction(signal, &none, NULL);
		if (info->si_code <= 0)
			call_tgkill(thread_program.pid, call_gettid(), signal);
		return;
	}
	mask = entry->former.mask;
	if (!(entry->former.flags & SA_NODEFER))
		mask |= THREAD_BIT(signal);
	call_sigmask(SIG_BLOCK, &mask, NULL); /* the frame brings the old one back */
	if (entry->former.flags & SA_SIGINFO)
		((void (*)(int, siginfo_t *, void *))entry->former.handler)(signal, info, ucontext);
	else
		((void (*)(int))entry->former.handler)(signal);
}
