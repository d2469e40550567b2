/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A function of this library runs before each handler of the program. It counts the handlers that
 * have run, for the calls that they end (call.h), and ends the call of Linux that its thread is
 * about to make (interrupt.c). If SIGSEGV or SIGBUS are blocked meanwhile, it notes this: a bad
 * pointer in a call of the handler must be EFAULT, and a fault cannot report it then. A handler
 * that is left by siglongjmp() leaves the note behind; the copies then find that it is wrong.
 */
#define _GNU_SOURCE
#include "posix/signal/handlers.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "posix/calls/call.h"
#include "posix/calls/interrupt.h"
#include "posix/signal/dispatch.h"
#include "posix/state/identity.h"
#include "posix/state/mask_cells.h"
#include "posix/state/record.h"
#include "posix/state/signal_bits.h"

#define SIGNALS 65

/*
 * The program's handlers. This library has two functions, used in turns. A signal that Linux
 * delivers before it has the new one runs the former one, which calls the program's former handler
 * with the settings of that handler.
 */
static struct place {
	_Atomic uintptr_t handler;
	_Atomic bool blocks;   /* faults */
	_Atomic bool restarts; /* the interrupted call */
	_Atomic uint64_t mask; /* the signals that are blocked in it, including its own */
} places[2][SIGNALS];
static _Atomic unsigned turns[SIGNALS];

/* Signals that report an instruction that cannot be executed. They interrupt no call. */
static bool is_of_faults(int signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
	       signal == SIGTRAP || signal == SIGSYS;
}

static void count(const struct place *place, int signal, void *context)
{
	const bool ending = !atomic_load_explicit(&place->restarts, memory_order_relaxed);

	if (is_of_faults(signal))
		return;
	if (!posix_call_is_interrupted())
		posix_me.call.handled = 0;
	posix_me.call.handled |= 1ull << (signal - 1);
	posix_me.call.handlers.run++;
	posix_me.call.handlers.ending += ending;
	posix_interrupt(context, signal, ending);
}

/* On x86-64 a handler may be called with more arguments than it takes. */
static void call(const struct place *place, int signal, siginfo_t *info, void *context)
{
	const uintptr_t handler = atomic_load(&place->handler);
	void (*next)(int, siginfo_t *, void *);

	memcpy(&next, &handler, sizeof(next));
	next(signal, info, context);
}

static void run(const struct place *place, int signal, siginfo_t *info, void *context)
{
	struct posix_mask_cell *mask = posix_me.mask;
	const struct posix_handlers_count interrupted = posix_me.call.began;
	uint64_t handled, had;

	count(place, signal, context);
	handled = posix_me.call.handled;
	if (signal == SIGSYS)
		posix_dispatch_begin(info, context, atomic_load(&place->mask));
	if (!atomic_load_explicit(&place->blocks, memory_order_relaxed)) {
		call(place, signal, info, context);
	} else {
		had = atomic_fetch_or(&mask->blocked, POSIX_SIGNALS_OF_FAULTS);
		call(place, signal, info, context);
		/* Linux restores the mask, whatever the handler has changed in it. */
		atomic_fetch_or(&mask->blocked, had & POSIX_SIGNALS_OF_FAULTS);
		atomic_fetch_and(&mask->blocked, had | ~POSIX_SIGNALS_OF_FAULTS);
	}
	/* It may have made calls of its own. */
	posix_me.call.began = interrupted;
	posix_me.call.handled |= handled;
}

static void run_even(int signal, siginfo_t *info, void *context)
{
	run(&places[0][signal], signal, info, context);
}

static void run_odd(int signal, siginfo_t *info, void *context)
{
	run(&places[1][signal], signal, info, context);
}

static uint64_t mask_of(int signal, const struct sigaction *action)
{
	uint64_t bits;

	memcpy(&bits, &action->sa_mask, sizeof(bits));
	if (!(action->sa_flags & SA_NODEFER))
		bits |= 1ull << (signal - 1);
	return bits;
}

static bool is_ours(const struct sigaction *action)
{
	return action->sa_sigaction == run_even || action->sa_sigaction == run_odd;
}

/* Not in a vfork's child, which has handlers of its own but the memory of its parent. A program
 * that asks Linux by its own instruction sees this library's function: that one stays as it is. */
const struct sigaction *posix_handlers_install(int signal, const struct sigaction *wanted,
					       struct sigaction *noting)
{
	struct place *place;
	uintptr_t handler;
	unsigned turn;

	if (signal < 1 || signal >= SIGNALS || wanted->sa_handler == SIG_DFL ||
	    wanted->sa_handler == SIG_IGN || is_ours(wanted) || !posix_identity_is_own())
		return wanted;
	memcpy(&handler, &wanted->sa_handler, sizeof(handler));
	turn = atomic_fetch_add(&turns[signal], 1) % 2;
	place = &places[turn][signal];
	atomic_store(&place->mask, mask_of(signal, wanted));
	atomic_store(&place->blocks, mask_of(signal, wanted) & POSIX_SIGNALS_OF_FAULTS);
	atomic_store(&place->restarts, (wanted->sa_flags & SA_RESTART) != 0);
	atomic_store(&place->handler, handler);
	*noting = *wanted;
	noting->sa_sigaction = turn ? run_odd : run_even;
	return noting;
}

void posix_handlers_show(int signal, struct sigaction *installed)
{
	const bool is_odd = installed->sa_sigaction == run_odd;
	uintptr_t handler;

	if (!is_ours(installed))
		return;
	handler = atomic_load(&places[is_odd][signal].handler);
	memcpy(&installed->sa_handler, &handler, sizeof(handler));
}
