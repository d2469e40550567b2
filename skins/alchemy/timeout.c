/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timeouts: only here do ticks, dates and timespecs become timeouts of the nucleus. A time beyond
 * the nucleus's range becomes its longest time, which is practically for ever. A negative
 * difference of two dates, however, has passed: programs subtract rt_timer_read() from a date.
 */
#include "alchemy_internal.h"

#define NS_MAX (((uint64_t)1 << 62) - 1)
#define NS_S   1000000000u

_Atomic uint64_t alchemy_tick = 1;

uint64_t alchemy_ns(RTIME ticks)
{
	uint64_t ns;

	return __builtin_mul_overflow(ticks, alchemy_tick_ns(), &ns) || ns > NS_MAX ? NS_MAX : ns;
}

uint64_t alchemy_until_ns(RTIME ticks)
{
	return (SRTIME)ticks < 0 ? 1 : alchemy_ns(ticks);
}

static tact_timeout_t timeout_of(RTIME timeout, enum tact_timeout_kind kind)
{
	if (timeout == TM_INFINITE)
		return TACT_FOREVER;
	if (timeout == TM_NONBLOCK)
		return TACT_NOWAIT;
	return tact_timeout_make(alchemy_until_ns(timeout), kind);
}

tact_timeout_t alchemy_relative(RTIME timeout)
{
	return timeout_of(timeout, TACT_TIMEOUT_RELATIVE);
}

tact_timeout_t alchemy_absolute(RTIME timeout)
{
	return timeout_of(timeout, TACT_TIMEOUT_ABSOLUTE);
}

int alchemy_timespec(const struct timespec *abs_timeout, tact_timeout_t *timeout)
{
	uint64_t ns;

	if (!abs_timeout) {
		*timeout = TACT_FOREVER;
		return 0;
	}
	if (abs_timeout->tv_sec < 0 || abs_timeout->tv_nsec < 0 || abs_timeout->tv_nsec >= NS_S)
		return -EINVAL;
	if (!abs_timeout->tv_sec && !abs_timeout->tv_nsec) {
		*timeout = TACT_NOWAIT;
		return 0;
	}
	if (__builtin_mul_overflow((uint64_t)abs_timeout->tv_sec, (uint64_t)NS_S, &ns) ||
	    __builtin_add_overflow(ns, (uint64_t)abs_timeout->tv_nsec, &ns) || ns > NS_MAX)
		ns = NS_MAX;
	*timeout = tact_timeout_make(ns, TACT_TIMEOUT_ABSOLUTE);
	return 0;
}
