/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The signals that the back end takes for itself, before the program does. */
#ifndef THREAD_SIGNALS_H
#define THREAD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* What serves faults, and Linux calls that trap. The result says whether the way back from the
 * signal is to clear the stall bit. */
struct thread_signal_handlers {
	int (*fault)(int signal, siginfo_t *info, void *ucontext);
	int (*linux_call)(int signal, siginfo_t *info, void *ucontext);
};
/* As the library is loaded: hal_copy() catches faults before any start. */
void thread_signals_serve(const struct thread_signal_handlers *to);
void thread_signals_install(void);
/* all: also those that threads which trap need; else these stay, for the next start, or for good:
 * others' signals they hand on. */
void thread_signals_restore(bool all);
/* Had the program a handler for it before the start? */
bool thread_signal_is_handled(int signal);
/* Hand a signal on to whoever had it before us. */
void thread_signal_chain(int signal, siginfo_t *info, void *ucontext);
/* The same without a call of Linux's: linux_handler_pass(). */
void thread_signal_pass(int signal, siginfo_t *info, void *ucontext);

#endif
