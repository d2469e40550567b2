/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals handed to tasks that wait for them, without Linux. */
#ifndef POSIX_SIGWAIT_H
#define POSIX_SIGWAIT_H

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

#include <tactus/tact.h>

#include "posix/calls/safe_copy.h"
#include "posix/state/signal_bits.h"

/*
 * Give it to the task with this waiter, or to any (POSIX_WAITERS). False: nobody waits for it, or
 * Linux may have earlier ones. Then Linux is told, and afterwards this is: so what the same thread
 * sends next does not overtake it.
 */
bool posix_signal_give(uint32_t waiter, const siginfo_t *info);
void posix_signal_went_to_linux(uint32_t waiter, int signal);

/* posix_signal_bits() of a set that the program names. False: it leads nowhere. */
static inline bool posix_signals_named(const sigset_t *set, uint64_t *bits)
{
	if (!posix_safe_copy(bits, set, sizeof(*bits)))
		return false;
	*bits &= ~POSIX_SIGNALS_NEVER;
	return true;
}

/* The task is one no more. */
void posix_signals_leave(void);

/*
 * Can these be waited for here? A signal that the task does not block may find a handler instead,
 * or end the program, which Linux decides. For signals that are new it takes Linux to look.
 */
bool posix_signals_prepare(uint64_t bits);
/* Wait for them, when that is prepared. Returns the signal, or a negative error number; -ENOMEM: it
 * has to be waited for in Linux. */
int posix_signals_wait(uint64_t bits, siginfo_t *info, tact_timeout_t timeout);

#endif
