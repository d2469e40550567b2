/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timer: a handler that is called at an instant, once or periodically.
 *
 * The handler runs on the home CPU of the timer in handler context, above all tasks, and may not
 * wait. One handler runs at a time on each CPU; handlers that are due meanwhile follow in the order
 * of their instants. A periodic timer never drifts: its instants are first + n × period, however
 * late the handler runs. If an instant passes before the handler could run for the previous one, it
 * gets no run of its own: it is counted as missed, and the handler runs once, for the latest
 * instant.
 */
#ifndef TACTUS_TIMER_H
#define TACTUS_TIMER_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_timer_t;

#define TACT_TIMER_PERIOD_MIN_NS 1000u

struct tact_timer_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t active;     /* 1: started, and an instant is still to come */
	uint32_t clock;      /* of next; enum tact_clock */
	uint32_t last_clock; /* of last; enum tact_clock */
	tact_time_t next;    /* the next instant; 0 when not active */
	uint64_t period_ns;  /* 0: once */
	tact_time_t last;    /* the instant of the last run of the handler; 0: none */
	uint64_t expiries;   /* instants that have passed since the timer was created */
	uint64_t missed;     /* of these, the instants without a run of their own */
};

/* The instant for which the handler runs. */
struct tact_timer_expiry {
	uint32_t size;
	tact_timer_t timer;
	uint32_t clock; /* of programmed; enum tact_clock */
	uint32_t reserved;
	tact_time_t programmed; /* the instant as it was programmed */
	uint64_t missed; /* instants before it that have passed since the last run of the handler */
};

/**
 * Create a timer. It does nothing until it is started.
 * name:    entry in the registry, copied; NULL for none.
 * handler: called with arg. A fault in the handler is reported and stops the timer; then the
 *          program continues or ends as the configuration says for faults of tasks.
 * flags:   TACT_ON_CPU(n).
 * timer:   receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  handler is NULL, unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_timer_create(const char *name, void (*handler)(void *arg), void *arg, uint32_t flags,
		      tact_timer_t *timer);

/**
 * Delete. When the call returns, the handler does not run and will not run again; the call waits
 * for a handler that runs meanwhile.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. May wait (for the handler). Cost: O(log timers).
 */
int tact_timer_delete(tact_timer_t timer);

/**
 * Start, or start again with other times. A run that is due but has not begun is cancelled.
 * first:     the first instant: tact_in(), tact_at() or tact_at_wall(). An instant that has passed
 *            is due at once; the instants of a periodic timer that have passed since then are
 *            missed.
 * period_ns: time between instants, at least TACT_TIMER_PERIOD_MIN_NS; 0: once.
 *
 * Returns 0, or
 *   -TACT_EINVAL  TACT_FOREVER, TACT_NOWAIT or an unknown kind; a period that is too short
 *   -TACT_EBADF   not a timer
 *   -TACT_EIDRM   deleted
 *   -TACT_ENOMEM  from a handler to another CPU's timer: no message record is free
 * Context: task, handler, linux. Cost: O(log timers).
 */
int tact_timer_start(tact_timer_t timer, tact_timeout_t first, uint64_t period_ns);

/**
 * Stop: no further run begins. A run that has begun continues. Without effect if the timer is not
 * started.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (as tact_timer_start()).
 * Context: task, handler, linux. Cost: O(log timers).
 */
int tact_timer_stop(tact_timer_t timer);

/**
 * Read, in the handler of a timer, for which instant it runs. expiry: receives it, or NULL.
 * Returns 0, -TACT_EINVAL (size), -TACT_EPERM (not in the handler of a timer). Context: handler.
 * Cost: O(1).
 */
int tact_timer_expiry(struct tact_timer_expiry *expiry);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_timer_inquire(tact_timer_t timer, struct tact_timer_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
