/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The budget of a quota group, by arithmetic alone: no clock is read and no timer armed here.
 */
#ifndef NUC_BUDGET_H
#define NUC_BUDGET_H

#include <stdint.h>

struct nuc_limits {
	uint64_t interval_ns;
	uint64_t quota_ns;
	uint64_t peak_ns;
};

struct nuc_budget {
	struct nuc_limits limits;
	uint64_t begin_ns; /* of the interval that left_ns is for */
	uint64_t left_ns;
	uint64_t credit_ns; /* kept beyond the peak */
};

/* Limits as tactus/quota.h has them; peak_ns 0: quota_ns. 0 or -TACT_EINVAL. */
int nuc_limits_set(struct nuc_limits *limits, uint64_t interval_ns, uint64_t quota_ns,
		   uint64_t peak_ns);

/* An interval begins with the full quota and without credit. */
void nuc_budget_begin(struct nuc_budget *budget, const struct nuc_limits *limits, uint64_t now_ns);

/* Intervals that have passed by now are over. Cost: O(1), however many. */
void nuc_budget_catch_up(struct nuc_budget *budget, uint64_t now_ns);

static inline void nuc_budget_use(struct nuc_budget *budget, uint64_t ran_ns)
{
	budget->left_ns -= ran_ns < budget->left_ns ? ran_ns : budget->left_ns;
}

static inline uint64_t nuc_budget_end_ns(const struct nuc_budget *budget)
{
	return budget->begin_ns + budget->limits.interval_ns;
}

#endif
