/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/timer.h> had in Xenomai 2, and a service that was there. */
#ifndef TRANK_NATIVE_TIMER_H
#define TRANK_NATIVE_TIMER_H

#include <alchemy/timer.h>

/* The length of a tick is chosen with --alchemy-clock-resolution. Returns 0 when it is nstick ns
 * already (TM_ONESHOT: 1 ns), or else -ENODEV. Context: any. */
static inline int rt_timer_set_mode(RTIME nstick)
{
	return rt_timer_ticks2ns(1) == (SRTIME)(nstick == TM_ONESHOT ? 1 : nstick) ? 0 : -ENODEV;
}

#endif
