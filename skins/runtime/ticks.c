/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ticks and times: see ticks.h. */
#include "runtime/ticks.h"

#define NS_S 1000000000u

uint64_t runtime_scale(uint64_t value, uint32_t by, uint32_t more, uint32_t from)
{
	const unsigned __int128 scaled = ((unsigned __int128)value * by + more) / from;

	return scaled > RUNTIME_NS_MAX ? RUNTIME_NS_MAX : (uint64_t)scaled;
}

tact_timeout_t runtime_in(const struct runtime_ticks *clock, uint64_t ticks)
{
	return tact_timeout_make(runtime_ticks_ns(clock, ticks), TACT_TIMEOUT_RELATIVE);
}

tact_timeout_t runtime_at(const struct runtime_ticks *clock, uint64_t tick)
{
	return tact_timeout_make(runtime_ticks_ns(clock, tick), TACT_TIMEOUT_ABSOLUTE);
}

tact_timeout_t runtime_on_tick(const struct runtime_ticks *clock, uint64_t ticks)
{
	uint64_t tick;

	if (!ticks)
		return TACT_NOWAIT;
	if (__builtin_add_overflow(runtime_ns_ticks(clock, tact_now().ns), ticks, &tick))
		tick = UINT64_MAX;
	return runtime_at(clock, tick);
}

int runtime_at_timespec(const struct timespec *date, tact_timeout_t *timeout)
{
	uint64_t ns;

	if (date->tv_sec < 0 || date->tv_nsec < 0 || date->tv_nsec >= NS_S)
		return -TACT_EINVAL;
	if (__builtin_mul_overflow((uint64_t)date->tv_sec, (uint64_t)NS_S, &ns) ||
	    __builtin_add_overflow(ns, (uint64_t)date->tv_nsec, &ns) || ns > RUNTIME_NS_MAX)
		ns = RUNTIME_NS_MAX;
	*timeout = tact_timeout_make(ns, TACT_TIMEOUT_ABSOLUTE);
	return 0;
}
