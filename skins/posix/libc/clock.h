/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between POSIX's times and the nucleus's. */
#ifndef POSIX_CLOCK_H
#define POSIX_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <tactus/tact.h>

#define POSIX_NS_PER_S 1000000000

static inline bool posix_time_is_valid(const struct timespec *time)
{
	return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < POSIX_NS_PER_S;
}

/* Beyond the nucleus's range: as far as it goes, some 146 years. */
static inline uint64_t posix_ns(const struct timespec *time)
{
	const uint64_t most = 1ull << 62;

	if ((uint64_t)time->tv_sec >= most / POSIX_NS_PER_S)
		return most;
	return (uint64_t)time->tv_sec * POSIX_NS_PER_S + (uint64_t)time->tv_nsec;
}

static inline struct timespec posix_timespec(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / POSIX_NS_PER_S), (long)(ns % POSIX_NS_PER_S)};
}

/* What is left of a time that began then: Linux goes on waiting for a task that no more waits here.
 */
static inline struct timespec posix_left(uint64_t ns, tact_time_t begun)
{
	uint64_t spent_ns = tact_now().ns - begun.ns;

	return posix_timespec(ns > spent_ns ? ns - spent_ns : 0);
}

/* Does the nucleus keep this clock's time? Others (of processor time, boot time) stay Linux's. */
static inline bool posix_clock_is_served(clockid_t clock)
{
	return clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME;
}

#define POSIX_CLOCKS_APART_NS 5000u /* two clocks are looked at at once */

/*
 * An instant of a served clock as one of the monotonic clock, by what both show now: the machine's
 * wall clock may be slewed or set by others, which the nucleus's own would not know.
 */
static inline tact_timeout_t posix_instant(clockid_t clock, const struct timespec *time)
{
	uint64_t ns;

	if (time->tv_sec < 0)
		return tact_at((tact_time_t){0});
	ns = posix_ns(time);
	if (clock == CLOCK_REALTIME) {
		struct timespec wall;
		uint64_t before, now;
		int64_t ahead;
		int tries = 3;

		/* Delayed between the two, it is rather late than early, and seldom much. */
		do {
			before = tact_now().ns;
			clock_gettime(CLOCK_REALTIME, &wall);
			now = tact_now().ns;
		} while (now - before > POSIX_CLOCKS_APART_NS && --tries);
		ahead = (int64_t)(ns - posix_ns(&wall));
		ns = ahead < 0 && (uint64_t)-ahead > now ? 0 : now + (uint64_t)ahead;
	}
	return tact_at((tact_time_t){ns});
}

#endif
