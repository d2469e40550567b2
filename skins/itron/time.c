/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The system clock: ms of the monotonic clock, and an offset that set_tim() sets. */
#include "core.h"

_Atomic int64_t itron_time_offset_ms;

int64_t itron_time_ms(void)
{
	return (int64_t)(tact_now().ns / 1000000u) + atomic_load(&itron_time_offset_ms);
}
