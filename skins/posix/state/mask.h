/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The signals that the calling thread blocks, and what Linux has to learn when the thread unblocks
 * them. */
#ifndef POSIX_MASK_H
#define POSIX_MASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/skin.h>
#include <tactus/tact.h>

/* Read the mask of the calling thread from Linux, when the thread begins. */
void posix_mask_look(void);
/* The same for these signals, as soon as another thread needs it. */
void posix_mask_look_later(uint64_t signals);

/* The signals that the calling task blocks, without a Linux call. False: Linux has to be asked. */
static inline bool posix_signals_blocked(uint64_t *bits)
{
	return !tact_task_harden() && !tact_task_signal_mask(bits);
}

/* Signals of timers, a bit for each, that may be pending without Linux knowing it. */
extern _Atomic uint64_t posix_timer_signals;

/* An upcall, timer_registry.c: slow part of posix_timers_to_linux(). */
void posix_timers_hand_back(uint64_t bits);
/*
 * Linux is about to be asked for these signals, or the calling thread is about to accept them. So
 * Linux gets the timers that would send them to this thread. Cost if there are none: one load.
 */
static inline void posix_timers_to_linux(uint64_t bits)
{
	if (__builtin_expect(bits & atomic_load(&posix_timer_signals), 0))
		posix_timers_hand_back(bits);
}

#endif
