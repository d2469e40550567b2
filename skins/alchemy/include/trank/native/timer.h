/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/timer.h> had in Xenomai 2, and a service that it had there. */
#ifndef TRANK_NATIVE_TIMER_H
#define TRANK_NATIVE_TIMER_H

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Set the length of a tick for the whole program, from now on. Times that were given in ticks
 * before stay as they are.
 * nstick: 1 to 1000000000 ns, or TM_ONESHOT: 1 ns.
 * Returns 0, -EINVAL (a longer tick). Context: any.
 */
int rt_timer_set_mode(RTIME nstick);

#ifdef __cplusplus
}
#endif

#endif
