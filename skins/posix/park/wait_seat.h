/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between wait.c, wait_sleep.c and wake.c: the wait of a seat. */
#ifndef POSIX_WAIT_SEAT_H
#define POSIX_WAIT_SEAT_H

#include "posix/park/seat.h"

/* Woken, and its gift is whole? Waits for who is about to give it. */
bool posix_wait_is_woken(struct posix_seat *seat);
/* Out of its slot, unless somebody has it. Nobody else's then: so the address is the
 * slot's. */
bool posix_wait_clear(struct posix_seat *seat, uint64_t value);

#endif
