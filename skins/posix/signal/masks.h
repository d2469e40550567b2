/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The signals that a thread lets in. */
#ifndef POSIX_MASKS_H
#define POSIX_MASKS_H

#include <signal.h>
#include <stdint.h>

/*
 * To be called before a wait in Linux with this mask, which may be NULL. Returns the signals that
 * the mask lets in and the caller blocks. If there are any, posix_mask_admitted() must be called
 * with them afterwards, also after a cancellation.
 */
uint64_t posix_mask_admit(const sigset_t *mask);
/* The same for a call that accepts these signals, or lets them in. Meanwhile the thread counts as
 * one that lets them in, and Linux has the timers of these signals. */
uint64_t posix_mask_let_in(uint64_t signals);
void posix_mask_admitted(void *bits);

#endif
