/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults in secondary mode are Linux's signals, on the shadow's own stack for them. Plain Linux
 * threads' go on to whoever had them before.
 */
#define _GNU_SOURCE
#include "bare.h"

#include "arch/context.h"
#include "arch/self.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

static struct sigaction former[SIGNALS];

/* A fault happens again on return, with nobody to catch it; what was sent is sent again. */
static void default_action(int signal, const siginfo_t *info)
{
	const struct sigaction none = {.sa_handler = SIG_DFL};

	sigaction(signal, &none, NULL);
	if (info->si_code <= 0)
		raise(signal);
}

static void pass_on(int signal, siginfo_t *info, void *ucontext)
{
	const struct sigaction *next = former;

	for (size_t i = 0; signals[i] != signal; i++)
		next = &former[i + 1];
	if (next->sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (next->sa_handler == SIG_DFL || next->sa_handler == SIG_IGN)
		default_action(signal, info);
	else if (next->sa_flags & SA_SIGINFO)
		next->sa_sigaction(signal, info, ucontext);
	else
		next->sa_handler(signal);
}

static void fault(int signal, siginfo_t *info, void *ucontext)
{
	const struct hal_shadow *shadow = thread_shadow_self();
	struct hal_fault fault;

	if (!shadow || info->si_code <= 0) {
		pass_on(signal, info, ucontext);
		return;
	}
	hal_arch_flags_clean();
	fault = thread_fault_of(signal, info, ucontext);
	nuc_upcall_shadow_fault(shadow->owner, &fault);
}

void bare_signals_install(void)
{
	struct sigaction action = {
		.sa_sigaction = fault,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &former[i]);
}

/* Whoever replaced a handler of ours meanwhile keeps what it installed. */
void bare_signals_restore(void)
{
	for (size_t i = 0; i < SIGNALS; i++) {
		struct sigaction now;

		sigaction(signals[i], NULL, &now);
		if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == fault)
			sigaction(signals[i], &former[i], NULL);
	}
}
