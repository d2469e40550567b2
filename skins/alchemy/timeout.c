/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timeouts: only here do ticks, dates and timespecs become timeouts of the nucleus. A negative
 * difference of two dates has passed: programs subtract rt_timer_read() from a date.
 */
#include "alchemy_internal.h"

struct runtime_ticks alchemy_ticks = {RUNTIME_RATE(1, 1)};

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
	int error = 0;

	if (!abs_timeout)
		*timeout = TACT_FOREVER;
	else if (!abs_timeout->tv_sec && !abs_timeout->tv_nsec)
		*timeout = TACT_NOWAIT;
	else
		error = runtime_at_timespec(abs_timeout, timeout);
	return error;
}
