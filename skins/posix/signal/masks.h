/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which signals a thread lets in. */
#ifndef POSIX_MASKS_H
#define POSIX_MASKS_H

#include <signal.h>
#include <stdint.h>

/*
 * A call that waits in Linux under this mask, or NULL, begins: what it lets in that the caller
 * blocks. Where that is something, posix_mask_admitted() follows with it, also when it is
 * cancelled.
 */
uint64_t posix_mask_admit(const sigset_t *mask);
/* The same for who accepts these signals, or lets them in. Meanwhile it is told to do so, and
 * timers of theirs are Linux's. */
uint64_t posix_mask_let_in(uint64_t signals);
void posix_mask_admitted(void *bits);

#endif
