/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between wait.c, wait_sleep.c and wake.c: the present wait of a waiter. */
#ifndef POSIX_WAITER_WAIT_H
#define POSIX_WAITER_WAIT_H

#include "posix/park/waiter.h"

/* Woken, and its handoff is whole? Waits for who is about to give it. */
bool posix_wait_is_woken(struct posix_waiter *waiter);
/* Out of its slot, unless somebody has it. Nobody else's then: so the address is the
 * slot's. */
bool posix_wait_clear(struct posix_waiter *waiter, uint64_t value);

#endif
