/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* POSIX timers that tasks wait for by their signals. */
#ifndef POSIX_TIMERS_H
#define POSIX_TIMERS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#include "posix/state/residency.h"

extern _Atomic uint32_t posix_timers_used; /* no place from here on was ever taken */

/* Once its fence is made, the program has a timer, or is about to make its first one. */
extern struct posix_residency_domain posix_timers_domain;

static inline bool posix_timers_made(void)
{
	return atomic_load_explicit(&posix_timers_domain.fence.made, memory_order_relaxed);
}

/* Import the timers that the calling task waits for by these signals, if possible. */
void posix_timers_prepare(uint64_t bits);
/* When the next of these is due; TACT_FOREVER: none is known here. */
tact_timeout_t posix_timer_next(uint64_t bits);
/* The signal of the expiry that is due first for the calling task, or 0; and accept that expiry. */
int posix_timer_due(uint64_t bits);
int posix_timer_take(uint64_t bits, siginfo_t *info);

/* The calling task is no longer a task. */
void posix_timers_leave(void);
/* Export them and keep them in Linux, because a signalfd reads their signals. */
void posix_timers_pin(uint64_t bits);
/* To be called before an exec, which keeps only the interval timer. */
void posix_itimer_pass_exec(void);
/* To be called in a fork's child, which has no timers. */
void posix_timers_forget(void);

#endif
