/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock and its units. */
#include <trank/native/timer.h>

#include "alchemy_internal.h"
#include "skin_options.h"

/* Programs set the length of a tick in ns. */
static uint64_t tick_ns(void)
{
	return runtime_rate(&alchemy_ticks).ns;
}

RTIME rt_timer_read(void)
{
	return runtime_ns_ticks(&alchemy_ticks, tact_now().ns);
}

SRTIME rt_timer_ns2ticks(SRTIME ns)
{
	return ns / (SRTIME)tick_ns();
}

SRTIME rt_timer_ticks2ns(SRTIME ticks)
{
	return ticks * (SRTIME)tick_ns();
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
	info->period = tick_ns();
	info->tsc = tact_now().ns;
	info->date = info->tsc / tick_ns();
	return 0;
}

int rt_timer_set_mode(RTIME nstick)
{
	if (nstick > SKIN_TICK_MAX_NS)
		return -EINVAL;
	runtime_set_rate(&alchemy_ticks, nstick == TM_ONESHOT ? 1 : (uint32_t)nstick, 1);
	return 0;
}

void rt_timer_spin(RTIME ns)
{
	tact_compute(ns);
}
