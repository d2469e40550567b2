/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The budget of a quota group or of a task of the class CBS, by arithmetic alone: no clock is read
 * and no timer armed here. Time used beyond the budget is a debt, which the following intervals
 * pay.
 */
#ifndef NUC_BUDGET_H
#define NUC_BUDGET_H

#include <stdint.h>

#define NUC_INTERVAL_MIN_NS 10000u
#define NUC_INTERVAL_MAX_NS (UINT64_MAX / 4)

struct nuc_limits {
	uint64_t interval_ns;
	uint64_t quota_ns;
	uint64_t peak_ns;
};

struct nuc_budget {
	struct nuc_limits limits;
	uint64_t begin_ns;  /* of the interval to which left_ns belongs */
	int64_t left_ns;    /* below 0: a debt, which the next intervals pay */
	uint64_t credit_ns; /* kept beyond the peak */
};

/* Limits as tactus/quota.h has them; peak_ns 0: quota_ns. 0 or -TACT_EINVAL. */
int nuc_limits_set(struct nuc_limits *limits, uint64_t interval_ns, uint64_t quota_ns,
		   uint64_t peak_ns);

/* An interval begins with the full quota and without credit. */
void nuc_budget_begin(struct nuc_budget *budget, const struct nuc_limits *limits, uint64_t now_ns);

/* Account for the intervals that have passed by now. Cost: O(1), for any number of them. */
void nuc_budget_catch_up(struct nuc_budget *budget, uint64_t now_ns);

static inline void nuc_budget_use(struct nuc_budget *budget, uint64_t ran_ns)
{
	budget->left_ns -= (int64_t)ran_ns;
}

/* Give up what is left; a debt remains. */
static inline void nuc_budget_give_up(struct nuc_budget *budget)
{
	if (budget->left_ns > 0)
		budget->left_ns = 0;
}

/* The beginning of the next interval in which something is left, without the peak. */
uint64_t nuc_budget_due_ns(const struct nuc_budget *budget);

static inline uint64_t nuc_budget_end_ns(const struct nuc_budget *budget)
{
	return budget->begin_ns + budget->limits.interval_ns;
}

#endif
