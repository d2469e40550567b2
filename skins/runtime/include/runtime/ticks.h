/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ticks: a skin's unit of time. Ticks lie on a grid that begins with the nucleus's clock, at 0, and
 * whose rate can be set. A time beyond the nucleus's range becomes its longest time, which is
 * practically for ever. Context of all calls: any.
 */
#ifndef RUNTIME_TICKS_H
#define RUNTIME_TICKS_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include <tactus/tact.h>

/* The longest time of the nucleus. */
#define RUNTIME_NS_MAX (((uint64_t)1 << 62) - 1)

/* So many ns are so many ticks. */
struct runtime_rate {
	uint32_t ns;
	uint32_t ticks;
};

/* Of a skin. The rate is one word, so that it is read and set as a whole. */
struct runtime_ticks {
	_Atomic uint64_t rate;
};
/* The rate of a struct runtime_ticks: RUNTIME_RATE(1000, 1) for ticks of 1 µs,
 * RUNTIME_RATE(1000000000, 60) for 60 Hz. Neither is 0. */
#define RUNTIME_RATE(NS, TICKS) ((uint64_t)(NS) << 32 | (uint32_t)(TICKS))

static inline void runtime_set_rate(struct runtime_ticks *clock, uint32_t ns, uint32_t ticks)
{
	atomic_store_explicit(&clock->rate, RUNTIME_RATE(ns, ticks), memory_order_relaxed);
}

static inline struct runtime_rate runtime_rate(const struct runtime_ticks *clock)
{
	const uint64_t rate = atomic_load_explicit(&clock->rate, memory_order_relaxed);

	return (struct runtime_rate){(uint32_t)(rate >> 32), (uint32_t)rate};
}

/* (value * by + more) / from, at most RUNTIME_NS_MAX. more: less than from. */
uint64_t runtime_scale(uint64_t value, uint32_t by, uint32_t more, uint32_t from);

/* The usual case, without a division. */
static inline uint64_t runtime_multiple(uint64_t value, uint32_t by)
{
	uint64_t product;

	return __builtin_mul_overflow(value, by, &product) || product > RUNTIME_NS_MAX
		       ? RUNTIME_NS_MAX
		       : product;
}

/* The time of this tick, rounded up: by then the tick has passed. */
static inline uint64_t runtime_ticks_ns(const struct runtime_ticks *clock, uint64_t ticks)
{
	const struct runtime_rate rate = runtime_rate(clock);

	return rate.ticks == 1 ? runtime_multiple(ticks, rate.ns)
			       : runtime_scale(ticks, rate.ns, rate.ticks - 1, rate.ticks);
}

/* The ticks that have passed by this time. */
static inline uint64_t runtime_ns_ticks(const struct runtime_ticks *clock, uint64_t ns)
{
	const struct runtime_rate rate = runtime_rate(clock);

	return rate.ns == 1 ? runtime_multiple(ns, rate.ticks)
			    : runtime_scale(ns, rate.ticks, 0, rate.ns);
}

/* So many ticks from now, to the ns; at a date. */
tact_timeout_t runtime_in(const struct runtime_ticks *clock, uint64_t ticks);
tact_timeout_t runtime_at(const struct runtime_ticks *clock, uint64_t tick);
/* At the tick that is the ticks'th from now, as a kernel with a tick ends a delay: 1 is the next
 * one. 0 is -TACT_EAGAIN at once. */
tact_timeout_t runtime_on_tick(const struct runtime_ticks *clock, uint64_t ticks);
/* At the instant of a timespec. Returns 0, -TACT_EINVAL: it is not a time from 0 on. */
int runtime_at_timespec(const struct timespec *date, tact_timeout_t *timeout);

#endif
