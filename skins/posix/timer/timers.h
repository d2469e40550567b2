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

extern _Atomic uint32_t posix_timers_used; /* no place beyond was ever taken */

/* Its fence is made: the program has a timer, or is about to make its first one. */
extern struct posix_residency_domain posix_timers_domain;

static inline bool posix_timers_made(void)
{
	return atomic_load_explicit(&posix_timers_domain.fence.made, memory_order_relaxed);
}

/* What the calling task waits for by these signals becomes the nucleus's, where it can be. */
void posix_timers_prepare(uint64_t bits);
/* When the next of these is due; TACT_FOREVER: none is known here. */
tact_timeout_t posix_timer_next(uint64_t bits);
/* The expiry that the calling task finds due first: its signal, or 0; and that accepted. */
int posix_timer_due(uint64_t bits);
int posix_timer_take(uint64_t bits, siginfo_t *info);

/* The calling task is one no more. */
void posix_timers_leave(void);
/* The same from now on: a signalfd reads them, unseen. */
void posix_timers_pin(uint64_t bits);
/* Before an exec, which keeps the interval timer alone. */
void posix_itimer_pass_exec(void);
/* In a fork's child, which has none. */
void posix_timers_forget(void);

#endif
