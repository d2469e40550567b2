/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock for the measurements of every core: CLOCK_MONOTONIC, read without a system call if the
 * vDSO has it. */
#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_NS_PER_S 1000000000u

static inline uint64_t clock_read_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * CLOCK_NS_PER_S + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

static inline struct timespec clock_timespec(uint64_t time_ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(time_ns / CLOCK_NS_PER_S),
		.tv_nsec = (long)(time_ns % CLOCK_NS_PER_S),
	};
}

#endif
