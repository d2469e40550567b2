/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The signals that the back end takes for itself, before the program does. */
#ifndef THREAD_SIGNALS_H
#define THREAD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* The handlers of faults, and of Linux calls that trap. Their result says whether the return from
 * the signal must clear the stall bit. */
struct thread_signal_handlers {
	int (*fault)(int signal, siginfo_t *info, void *ucontext);
	int (*linux_call)(int signal, siginfo_t *info, void *ucontext);
};
/* When the library is loaded, because hal_copy() catches faults before any start. */
void thread_signals_serve(const struct thread_signal_handlers *to);
void thread_signals_install(void);
/* all: also the handlers that trapping threads need. Otherwise these stay until the next start, or
 * for good, and pass on signals that are not ours. */
void thread_signals_restore(bool all);
/* Had the program a handler for it before the start? */
bool thread_signal_is_handled(int signal);
/* Pass a signal on to the former handler. */
void thread_signal_chain(int signal, siginfo_t *info, void *ucontext);
/* The same without a Linux call: linux_handler_pass(). */
void thread_signal_pass(int signal, siginfo_t *info, void *ucontext);
/* The signal was sent to the program, and Linux gave it to a dispatcher: send it to a thread of the
 * program. */
void thread_signal_forward(int signal, siginfo_t *info);

#endif
