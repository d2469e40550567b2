/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The signals that the calling thread blocks, and what has to be told to Linux as it lets them in.
 */
#ifndef POSIX_MASK_H
#define POSIX_MASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>
#include <tactus/watch.h>

/* Of the calling thread, as Linux has it: at its birth. */
void posix_mask_look(void);
/* The same, of these signals, as soon as it matters to somebody. */
void posix_mask_look_later(uint64_t signals);

/* What the calling task blocks, without asking Linux. False: it has to be asked. */
static inline bool posix_signals_blocked(uint64_t *bits)
{
	return !tact_task_harden() && !tact_task_signal_mask(bits);
}

/* Signals, a bit each, that Linux may not know of although they are pending: of timers. */
extern _Atomic uint64_t posix_timer_signals;

/* An upcall, timer_registry.c: slow part of what follows. */
void posix_timers_hand_back(uint64_t bits);
/*
 * Linux is about to be asked for these signals, or the calling thread to accept them: it gets to
 * know of the timers that would send them to this thread. Cost where there are none: one load.
 */
static inline void posix_timers_to_linux(uint64_t bits)
{
	if (__builtin_expect(bits & atomic_load(&posix_timer_signals), 0))
		posix_timers_hand_back(bits);
}

#endif
