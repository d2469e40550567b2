/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals. They are Linux's, and reach a task's thread as any; here is only kept in mind what the
 * program's handlers want done with an interrupted call, and seen to that it is over before they
 * run; and which runtimes tasks cannot serve.
 * Source: signal(7), which calls are restarted.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>

#include <tactus/watch.h>

#include "real.h"
#include "runtimes.h"
#include "thread.h"
#include "wait.h"

/* Signals whose handler does not restart calls. */
static _Atomic uint64_t interrupting;

static void note(int signal, bool restarts)
{
	const uint64_t bit = 1ull << (signal - 1);

	/* Mostly nothing changes: a look costs less. */
	if (!(atomic_load_explicit(&interrupting, memory_order_relaxed) & bit) == restarts)
		return;
	if (restarts)
		atomic_fetch_and(&interrupting, ~bit);
	else
		atomic_fetch_or(&interrupting, bit);
}

static bool is_fault(int signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *former)
{
	int result;

	if (action && is_fault(signal) && posix_runtime_at(*(void *const *)&action->sa_handler))
		posix_give_up("goes on without Tactus: this runtime handles faults of its own");
	result = posix_real.sigaction(signal, action, former);

	if (!result && action && signal >= 1 && signal <= 64)
		note(signal, action->sa_flags & SA_RESTART || action->sa_handler == SIG_IGN ||
				     action->sa_handler == SIG_DFL);
	return result;
}

/* Of several that are pending Linux serves the lowest first, and does with the call as that has it.
 */
static void handlers_begin(uint64_t pending)
{
	const uint64_t first = pending & -pending;

	posix_me.signals_taken = !pending;
	posix_me.signals_restart =
		!(atomic_load_explicit(&interrupting, memory_order_relaxed) & first);
	if (pending)
		posix_wait_break();
}

void posix_signals_begin(void)
{
	tact_on_handlers(handlers_begin);
}

static bool take(bool *what)
{
	const bool was = *what;

	*what = false;
	return was;
}

bool posix_signals_restart(void)
{
	return take(&posix_me.signals_restart);
}

bool posix_signals_taken(void)
{
	return take(&posix_me.signals_taken);
}
