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

/*
 * The program's handlers that have one of ours before them. There are two of ours, in turns: until
 * Linux has the new one, and for what it has delivered by then, the former one runs the program's
 * former one, for which it was told what that is to be given.
 */
static _Atomic uintptr_t handlers[2][SIGNALS];
static _Atomic unsigned turns[SIGNALS];

/* On x86-64 a handler may be given more than it takes. */
static void run(const _Atomic uintptr_t *place, int signal, siginfo_t *info, void *context)
{
	const uintptr_t handler = atomic_load(place);
	struct posix_mask_cell *mask = posix_me.mask;
	const uint64_t had = atomic_fetch_or(&mask->blocked, POSIX_SIGNALS_OF_FAULTS);
	void (*next)(int, siginfo_t *, void *);

	memcpy(&next, &handler, sizeof(next));
	next(signal, info, context);
	/* Whatever it let in or blocked itself, Linux brings back what was. */
	atomic_fetch_or(&mask->blocked, had & POSIX_SIGNALS_OF_FAULTS);
	atomic_fetch_and(&mask->blocked, had | ~POSIX_SIGNALS_OF_FAULTS);
}

static void run_even(int signal, siginfo_t *info, void *context)
{
	run(&handlers[0][signal], signal, info, context);
}

static void run_odd(int signal, siginfo_t *info, void *context)
{
	run(&handlers[1][signal], signal, info, context);
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
const struct sigaction *posix_fault_masks_install(int signal, const struct sigaction *wanted,
						  struct sigaction *noting)
{
	uintptr_t handler;
	unsigned turn;

	if (signal < 1 || signal >= SIGNALS || wanted->sa_handler == SIG_DFL ||
	    wanted->sa_handler == SIG_IGN || !blocks(signal, wanted) || !posix_identity_is_own())
		return wanted;
	memcpy(&handler, &wanted->sa_handler, sizeof(handler));
	turn = atomic_fetch_add(&turns[signal], 1) % 2;
	atomic_store(&handlers[turn][signal], handler);
	*noting = *wanted;
	noting->sa_sigaction = turn ? run_odd : run_even;
	return noting;
}

void posix_fault_masks_show(int signal, struct sigaction *installed)
{
	const bool is_odd = installed->sa_sigaction == run_odd;
	uintptr_t handler;

	if (!is_odd && installed->sa_sigaction != run_even)
		return;
	handler = atomic_load(&handlers[is_odd][signal]);
	memcpy(&installed->sa_handler, &handler, sizeof(handler));
}
