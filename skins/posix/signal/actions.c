/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Actions for signals. Linux delivers signals, to the thread of a task as to any thread. This file
 * only records what the program's handlers want done with an interrupted call, ends that call
 * before they run, and knows the runtimes with which a program cannot have tasks. Source:
 * signal(7), which calls are restarted.
 */
#define _GNU_SOURCE
#include "posix/signal/actions.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include <tactus/skin.h>

#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/report/ends.h"
#include "posix/signal/handlers.h"
#include "posix/state/identity.h"
#include "posix/state/record.h"
#include "posix/state/vfork_child.h"
#include "posix/thread/runtimes.h"
#include "posix/thread/thread.h"

#define RESTORER 0x04000000u /* what the C library adds to its flags */

/* Signals whose handler does not restart calls. */
static _Atomic uint64_t interrupting;

static void note(int signal, bool restarts)
{
	const uint64_t bit = 1ull << (signal - 1);

	/* Mostly nothing changes, and a look costs less. A vfork's child has handlers of its
	 * own. */
	if (!(atomic_load_explicit(&interrupting, memory_order_relaxed) & bit) == restarts ||
	    posix_is_vfork_child())
		return;
	if (restarts)
		atomic_fetch_and(&interrupting, ~bit);
	else
		atomic_fetch_or(&interrupting, bit);
}

static bool is_ours_too(int signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
	       signal == SIGTRAP || signal == SIGSYS;
}

/*
 * For a signal of a fault, or of a call that Linux hands back: a handler of Tactus comes first and
 * remains, and the program gets its own handler reported. Not for a vfork's child, which has its
 * parent's memory and handlers of its own. False: Linux has to do it.
 */
static bool change_behind(int signal, const struct sigaction *action, struct sigaction *former)
{
	struct tact_fault_action wanted = {.flags = RESTORER}, had;

	if (!posix_identity_is_own())
		return false;
	if (action) {
		memcpy(&wanted.handler, &action->sa_handler, sizeof(wanted.handler));
		wanted.flags |= (unsigned)action->sa_flags;
		memcpy(&wanted.mask, &action->sa_mask, sizeof(wanted.mask));
	}
	if (tact_fault_action(signal, action ? &wanted : NULL, &had))
		return false;
	if (former) {
		*former = (struct sigaction){.sa_flags = (int)had.flags};
		memcpy(&former->sa_handler, &had.handler, sizeof(had.handler));
		memcpy(&former->sa_mask, &had.mask, sizeof(had.mask));
	}
	return true;
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *former)
{
	const bool ours = is_ours_too(signal) && !posix_from_tactus(__builtin_return_address(0));
	const struct sigaction *installed = NULL;
	struct sigaction noting;
	int result = 0;

	if (ours && action && posix_runtime_at(*(void *const *)&action->sa_handler))
		posix_give_up("goes on without Tactus: this runtime handles faults itself");
	if (action)
		installed = posix_ends_install(
			signal, posix_handlers_install(signal, action, &noting), &noting);
	if (!ours || !change_behind(signal, installed, former))
		result = posix_real.sigaction(signal, installed, former);
	if (!result && former) {
		posix_handlers_show(signal, former);
		posix_ends_show(signal, former);
	}
	if (!result && action && signal >= 1 && signal <= 64)
		note(signal, action->sa_flags & SA_RESTART || action->sa_handler == SIG_IGN ||
				     action->sa_handler == SIG_DFL);
	return result;
}

/* If several are pending, Linux serves the lowest one first, and its action decides about the
 * call. */
static void handlers_begin(uint64_t pending)
{
	const uint64_t first = pending & -pending;

	posix_me.call.signals_taken = !pending;
	posix_me.call.signals_restart =
		!(atomic_load_explicit(&interrupting, memory_order_relaxed) & first) &&
		!(pending & posix_me.skin.signals_end);
	if (pending)
		posix_wait_break();
}

void posix_signals_begin(void)
{
	tact_on_handlers(handlers_begin);
}
