/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The smallest quanta, budgets and windows that are kept here. Context of all: any. */
#ifndef NUC_LIMITS_H
#define NUC_LIMITS_H

#include <stdint.h>

#include <tactus/sched.h>

/* Of quanta, budgets and windows. */
uint64_t nuc_slice_min_ns(void);

/* Is it long enough? 0, or -TACT_EINVAL, and a line that tells the smallest one. */
int nuc_slice_check(const char *what, uint64_t slice_ns);
/* The same for the period of a CBS and the interval of a quota group. */
int nuc_period_check(const char *what, uint64_t period_ns);
/* The same for what the class of these parameters has. */
int nuc_sched_check_slice(const struct tact_sched_param *param);

/*
 * What a slice was overrun by (left_ns below 0) when nobody waited for its task: what makes its end
 * late is small against it, or a few events. More than that is the machine's, which had taken the
 * processor, and nobody's debt.
 */
int64_t nuc_slice_debt(int64_t left_ns, uint64_t slice_ns);

/* What an event comes late by at most that finds others before it, as far as that is no theft. */
uint64_t nuc_lateness_ns(void);

#endif
