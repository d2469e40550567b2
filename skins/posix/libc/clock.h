/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conversions between the times of POSIX and of the nucleus. */
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

/* A time beyond the nucleus's range becomes the longest one, some 146 years. */
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

/* What is left of a time that began then, so that Linux can continue a wait that began here. */
static inline struct timespec posix_left(uint64_t ns, tact_time_t begun)
{
	uint64_t spent_ns = tact_now().ns - begun.ns;

	return posix_timespec(ns > spent_ns ? ns - spent_ns : 0);
}

/* Does the nucleus have the time of this clock? Other clocks (processor time, boot time) remain
 * with Linux. */
static inline bool posix_clock_is_served(clockid_t clock)
{
	return clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME;
}

#define POSIX_CLOCKS_APART_NS 5000u /* at most between two readings that count as simultaneous */

/*
 * Converts an instant of a served clock to one of the monotonic clock, by what both show now. The
 * machine's wall clock may be slewed or set by others, and the nucleus's own would not follow.
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

		/* A delay between the readings makes the instant late and never early; mostly it is
		 * short. */
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
