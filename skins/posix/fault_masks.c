/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers that block SIGSEGV or SIGBUS while they run. A bad pointer in a call that they make is
 * to be EFAULT, which a fault cannot tell then: so one of ours stands before each of them, and
 * notes what is blocked, as the program's own calls do (masks.c). One that is left by siglongjmp()
 * leaves the note, which copies find to be wrong.
 */
#define _GNU_SOURCE
#include "fault_masks.h"

#include <stdatomic.h>
#include <string.h>

#include "kill.h"
#include "thread.h"

#define SIGNALS 65

/* The program's handlers that have one of ours before them. */
static _Atomic uintptr_t handlers[SIGNALS];

/* On x86-64 a handler may be given more than it takes. */
static void run(int signal, siginfo_t *info, void *context)
{
	const uintptr_t handler = atomic_load(&handlers[signal]);
	struct posix_mask_cell *mask = posix_me.mask;
	const uint64_t had = atomic_fetch_or(&mask->blocked, POSIX_SIGNALS_OF_FAULTS);
	void (*next)(int, siginfo_t *, void *);

	memcpy(&next, &handler, sizeof(next));
	next(signal, info, context);
	if (~had & POSIX_SIGNALS_OF_FAULTS)
		atomic_fetch_and(&mask->blocked, had | ~POSIX_SIGNALS_OF_FAULTS);
}

static bool blocks(int signal, const struct sigaction *action)
{
	uint64_t bits;

	memcpy(&bits, &action->sa_mask, sizeof(bits));
	if (!(action->sa_flags & SA_NODEFER))
		bits |= 1ull << (signal - 1);
	return bits & POSIX_SIGNALS_OF_FAULTS;
}

/* Not in a vfork's child, whose handlers are its own, and whose memory is not. */
struct sigaction posix_fault_masks_install(int signal, const struct sigaction *wanted)
{
	struct sigaction installed = *wanted;
	uintptr_t handler;

	if (signal < 1 || signal >= SIGNALS || wanted->sa_handler == SIG_DFL ||
	    wanted->sa_handler == SIG_IGN || !blocks(signal, wanted) || !posix_identity_is_own())
		return installed;
	memcpy(&handler, &wanted->sa_handler, sizeof(handler));
	atomic_store(&handlers[signal], handler);
	installed.sa_sigaction = run;
	return installed;
}

uintptr_t posix_fault_masks_behind(int signal)
{
	return signal >= 1 && signal < SIGNALS ? atomic_load(&handlers[signal]) : 0;
}

void posix_fault_masks_show(uintptr_t behind, struct sigaction *installed)
{
	if (installed->sa_sigaction == run)
		memcpy(&installed->sa_handler, &behind, sizeof(behind));
}
