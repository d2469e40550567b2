/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between wait.c, wait_sleep.c and wake.c: the present wait of a waiter. */
#ifndef POSIX_WAITER_WAIT_H
#define POSIX_WAITER_WAIT_H

#include "posix/park/waiter.h"

/* Was it woken, and is its handoff complete? If a thread is about to give it something, this waits
 * for that. */
bool posix_wait_is_woken(struct posix_waiter *waiter);
/* Take it out of its slot, unless another thread owns it. If this succeeds, no other thread uses
 * it, so its address is that of the
 * slot. */
bool posix_wait_clear(struct posix_waiter *waiter, uint64_t value);

#endif
