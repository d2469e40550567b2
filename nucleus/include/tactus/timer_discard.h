/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletion of timers (timer.h) from handlers.
 */
#ifndef TACTUS_TIMER_DISCARD_H
#define TACTUS_TIMER_DISCARD_H

#include <tactus/timer.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Delete a timer without waiting for its handler. No run of the handler begins any more. A run
 * that has begun continues to its end, after which the timer's memory is given back; it may be the
 * run that makes this call. tact_timer_expiry() works in that run.
 *
 * Returns 0, or
 *   -TACT_EBADF   not a timer
 *   -TACT_EIDRM   already deleted
 *   -TACT_ENOMEM  from a handler to another CPU's timer: no message record is free
 * Context: task, handler, linux. From a handler to another CPU's timer it returns 0 once it is
 * sent.
 * Cost: O(log timers).
 * Source: VxWorks Reference Manual 5.5, wdDelete(), which programs call in watchdog functions.
 */
int tact_timer_discard(tact_timer_t timer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
