/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals. They are Linux's, and reach a task's thread as any; here is only kept in mind what the
 * program's handlers want done with an interrupted call, and which runtimes tasks cannot serve.
 * Source: signal(7), which calls are restarted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "real.h"
#include "thread.h"
#include "wait.h"

/* Signals whose handler does not restart calls. */
static _Atomic uint64_t interrupting;

static void note(int signal, bool restarts)
{
	uint64_t bit = 1ull << (signal - 1);

	if (restarts)
		atomic_fetch_and(&interrupting, ~bit);
	else
		atomic_fetch_or(&interrupting, bit);
}

/*
 * Runtimes that meet faults in the normal course of things, and mend them in their handler: a task
 * has no handlers for faults in primary mode.
 */
static bool mends_faults(int signal, const struct sigaction *action)
{
	static const char *const runtimes[] = {"libjvm.so", "libcoreclr.so", "libmonosgen-2.0.so"};
	Dl_info info;

	if (signal != SIGSEGV && signal != SIGBUS && signal != SIGFPE && signal != SIGILL)
		return false;
	if (!dladdr(*(void *const *)&action->sa_handler, &info) || !info.dli_fname)
		return false;
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (strstr(info.dli_fname, runtimes[i]))
			return true;
	return false;
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *former)
{
	int result;

	if (action && mends_faults(signal, action))
		posix_give_up("goes on without Tactus: this runtime handles faults of its own");
	result = posix_real.sigaction(signal, action, former);

	if (!result && action && signal >= 1 && signal <= 64)
		note(signal, action->sa_flags & SA_RESTART || action->sa_handler == SIG_IGN ||
				     action->sa_handler == SIG_DFL);
	return result;
}

/*
 * Which handler has run is not known afterwards. With handlers of both kinds the call ends: a
 * program that has one that interrupts is prepared for EINTR.
 */
bool posix_signals_restart(void)
{
	return !atomic_load_explicit(&interrupting, memory_order_relaxed);
}
