/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sums and comparisons of timespecs. The operands must be normal: tv_nsec is from 0 to 999999999.
 * The results are normal, too. A result may be written to one of the operands.
 *
 * Source: Xenomai 3, <boilerplate/time.h>, as its demonstration programs use it.
 */
#ifndef BOILERPLATE_TIME_H
#define BOILERPLATE_TIME_H

#include <time.h>

#include <xeno_config.h>

#ifndef ONE_BILLION
#define ONE_BILLION 1000000000
#endif

typedef unsigned long long ticks_t;
typedef long long sticks_t;

/* Returns t in ns. */
static inline sticks_t timespec_scalar(const struct timespec *t)
{
	return (sticks_t)t->tv_sec * ONE_BILLION + t->tv_nsec;
}

/* r = ns. Here and below, ns may be negative, and may be more than a second. */
static inline void timespec_sets(struct timespec *r, sticks_t ns)
{
	sticks_t sec = ns / ONE_BILLION;
	sticks_t rest = ns % ONE_BILLION;

	if (rest < 0) {
		rest += ONE_BILLION;
		sec--;
	}
	r->tv_sec = (time_t)sec;
	r->tv_nsec = (long)rest;
}

/* r = a + b, a - b */
static inline void timespec_add(struct timespec *r, const struct timespec *a,
				const struct timespec *b)
{
	time_t sec = a->tv_sec + b->tv_sec;

	timespec_sets(r, (sticks_t)a->tv_nsec + b->tv_nsec);
	r->tv_sec += sec;
}

static inline void timespec_sub(struct timespec *r, const struct timespec *a,
				const struct timespec *b)
{
	time_t sec = a->tv_sec - b->tv_sec;

	timespec_sets(r, (sticks_t)a->tv_nsec - b->tv_nsec);
	r->tv_sec += sec;
}

/* r = a + ns, a - ns */
static inline void timespec_adds(struct timespec *r, const struct timespec *a, sticks_t ns)
{
	struct timespec b;

	timespec_sets(&b, ns);
	timespec_add(r, a, &b);
}

static inline void timespec_subs(struct timespec *r, const struct timespec *a, sticks_t ns)
{
	struct timespec b;

	timespec_sets(&b, ns);
	timespec_sub(r, a, &b);
}

static inline int timespec_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static inline int timespec_after(const struct timespec *a, const struct timespec *b)
{
	return timespec_before(b, a);
}

static inline int timespec_before_or_same(const struct timespec *a, const struct timespec *b)
{
	return !timespec_before(b, a);
}

static inline int timespec_after_or_same(const struct timespec *a, const struct timespec *b)
{
	return !timespec_before(a, b);
}

#endif
