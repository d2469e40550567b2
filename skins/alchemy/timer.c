/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock and its units. */
#include <trank/native/timer.h>

#include "alchemy_internal.h"
#include "skin_options.h"

RTIME rt_timer_read(void)
{
	return tact_now().ns / alchemy_tick_ns();
}

SRTIME rt_timer_ns2ticks(SRTIME ns)
{
	return ns / (SRTIME)alchemy_tick_ns();
}

SRTIME rt_timer_ticks2ns(SRTIME ticks)
{
	return ticks * (SRTIME)alchemy_tick_ns();
}

RTIME rt_timer_tsc(void)
{
	return tact_now().ns;
}

SRTIME rt_timer_ns2tsc(SRTIME ns)
{
	return ns;
}

SRTIME rt_timer_tsc2ns(SRTIME tsc)
{
	return tsc;
}

int rt_timer_inquire(RT_TIMER_INFO *info)
{
	if (alchemy_bad_pointer(info))
		return -EINVAL;
	info->period = alchemy_tick_ns();
	info->tsc = tact_now().ns;
	info->date = info->tsc / alchemy_tick_ns();
	return 0;
}

int rt_timer_set_mode(RTIME nstick)
{
	if (nstick > SKIN_TICK_MAX_NS)
		return -EINVAL;
	atomic_store_explicit(&alchemy_tick, nstick == TM_ONESHOT ? 1 : nstick,
			      memory_order_relaxed);
	return 0;
}

void rt_timer_spin(RTIME ns)
{
	tact_compute(ns);
}
