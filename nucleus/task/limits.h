/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The smallest quanta, budgets and windows on this machine. Context of all: any. */
#ifndef NUC_LIMITS_H
#define NUC_LIMITS_H

#include <stdint.h>

#include <tactus/sched.h>

/* The shortest quantum, budget or window. */
uint64_t nuc_slice_min_ns(void);

/* Is the slice long enough? 0, or -TACT_EINVAL; a line on the standard error then names the
 * smallest one, unless the slice is 0. */
int nuc_slice_check(const char *what, uint64_t slice_ns);
/* The same for the period of a CBS and the interval of a quota group. */
int nuc_period_check(const char *what, uint64_t period_ns);
/* The same for the slice and the period of these parameters, if their class has them. */
int nuc_sched_check_slice(const struct tact_sched_param *param);

/*
 * The debt of a slice that was overrun (left_ns below 0), for a task that was not boosted: at most
 * the slice and nuc_lateness_ns(). Events make the end of a slice late by less than that. If the
 * overrun is longer, the machine had taken the processor away, and no task owes that time.
 */
int64_t nuc_slice_debt(int64_t left_ns, uint64_t slice_ns);

/* How late an event comes at most because of other events before it. If it comes later, the machine
 * had taken the processor away. */
uint64_t nuc_lateness_ns(void);

#endif
