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
 * Give it to the task with this waiter, or to any task (POSIX_WAITERS). False: no task waits for
 * it, or Linux may have earlier ones. The caller then sends it to Linux, and calls
 * posix_signal_went_to_linux() afterwards, so that the next signal of the same thread does not
 * overtake it.
 */
bool posix_signal_give(uint32_t waiter, const siginfo_t *info);
void posix_signal_went_to_linux(uint32_t waiter, int signal);

/* posix_signal_bits() of a set that the program names. False: the address is invalid. */
static inline bool posix_signals_named(const sigset_t *set, uint64_t *bits)
{
	if (!posix_safe_copy(bits, set, sizeof(*bits)))
		return false;
	*bits &= ~POSIX_SIGNALS_NEVER;
	return true;
}

/* The task is no longer a task. */
void posix_signals_leave(void);

/*
 * Can a task wait for these here? If the task does not block a signal, Linux decides whether a
 * handler runs or the program ends. New signals need a call of Linux.
 */
bool posix_signals_prepare(uint64_t bits);
/* Wait for them; posix_signals_prepare() was true. Returns the signal, or a negative error number;
 * -ENOMEM: the caller has to wait in Linux. */
int posix_signals_wait(uint64_t bits, siginfo_t *info, tact_timeout_t timeout);

#endif
