/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time, in nanoseconds in 64 bits. The monotonic clock starts at an arbitrary instant and never
 * steps (Linux's CLOCK_MONOTONIC on the thread back end, virtual time on sim). The wall clock
 * counts from 1970-01-01 UTC and can be set. Instants and durations are distinct types.
 */
#ifndef TACTUS_TIME_H
#define TACTUS_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* An instant of a clock, in nanoseconds. */
typedef struct {
	uint64_t ns;
} tact_time_t;

#define TACT_NS(n) ((uint64_t)(n))
#define TACT_US(n) ((uint64_t)(n)*1000u)
#define TACT_MS(n) ((uint64_t)(n)*1000000u)
#define TACT_S(n)  ((uint64_t)(n)*1000000000u)

enum tact_clock {
	TACT_CLOCK_MONOTONIC = 0,
	TACT_CLOCK_WALL = 1,
};

enum tact_timeout_kind {
	TACT_TIMEOUT_FOREVER = 0,  /* wait as long as it takes */
	TACT_TIMEOUT_NOWAIT = 1,   /* fail with -TACT_EAGAIN instead of waiting */
	TACT_TIMEOUT_RELATIVE = 2, /* ns from the call */
	TACT_TIMEOUT_ABSOLUTE = 3, /* an instant of the monotonic clock */
	TACT_TIMEOUT_WALL = 4,     /* an instant of the wall clock; a change of the clock counts */
};

/* How long to wait. Every waiting call takes one, by value. */
typedef struct {
	uint64_t ns;
	uint64_t kind; /* enum tact_timeout_kind; in 64 bits, so that nothing is undefined */
} tact_timeout_t;

static inline tact_timeout_t tact_timeout_make(uint64_t ns, enum tact_timeout_kind kind)
{
	tact_timeout_t timeout;

	timeout.ns = ns;
	timeout.kind = (uint64_t)kind;
	return timeout;
}

#define TACT_FOREVER tact_timeout_make(0, TACT_TIMEOUT_FOREVER)
#define TACT_NOWAIT  tact_timeout_make(0, TACT_TIMEOUT_NOWAIT)

/* Wait at most this long, from now. A sum beyond the range of the clock means for ever. */
static inline tact_timeout_t tact_in(uint64_t ns)
{
	return tact_timeout_make(ns, TACT_TIMEOUT_RELATIVE);
}

/* Wait until an instant of the monotonic clock. An instant that has passed times out at once. */
static inline tact_timeout_t tact_at(tact_time_t instant)
{
	return tact_timeout_make(instant.ns, TACT_TIMEOUT_ABSOLUTE);
}

/* Wait until an instant of the wall clock. */
static inline tact_timeout_t tact_at_wall(tact_time_t instant)
{
	return tact_timeout_make(instant.ns, TACT_TIMEOUT_WALL);
}

static inline tact_time_t tact_time_add(tact_time_t instant, uint64_t ns)
{
	instant.ns = instant.ns + ns < ns ? UINT64_MAX : instant.ns + ns;
	return instant;
}

/**
 * Read the monotonic clock. Context: any. Cost: O(1), no system call.
 */
tact_time_t tact_now(void);

/**
 * Read the wall clock. Context: any. Cost: O(1), no system call.
 */
tact_time_t tact_wall_now(void);

/**
 * Set the wall clock as this program sees it. The clock of the machine is not changed. Waits and
 * timers on the wall clock follow at once.
 * now: the wall time of this instant.
 *
 * Returns 0, or
 *   -TACT_EPERM    from a handler, or the program was not started
 *   -TACT_EINVAL   now is less than what the monotonic clock shows, or is 2^63 ns or more
 * Context: task, linux. May wait (for the other real-time CPUs). Cost: O(CPUs).
 */
int tact_wall_set(tact_time_t now);

/**
 * Compute for a while: keep the processor busy. Tasks of higher priority preempt as usual. On sim a
 * program lets virtual time pass by this call; on the other back ends it is a loop that reads the
 * clock.
 * Context: any. Cost: duration_ns.
 */
void tact_compute(uint64_t duration_ns);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
