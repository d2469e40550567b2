/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Budgets of quota groups. Invariants: left is at most the peak; with peak and quota equal there is
 * no credit. What is kept grows no faster than time does, so that nothing here overflows.
 */
#include "sched/budget.h"

#include "base/error.h"

#define INTERVAL_MIN_NS 10000
#define INTERVAL_MAX_NS (UINT64_MAX / 4)
#define QUOTA_MIN_NS    1000

int nuc_limits_set(struct nuc_limits *limits, uint64_t interval_ns, uint64_t quota_ns,
		   uint64_t peak_ns)
{
	limits->interval_ns = interval_ns;
	limits->quota_ns = quota_ns;
	limits->peak_ns = peak_ns ? peak_ns : quota_ns;
	if (interval_ns < INTERVAL_MIN_NS || interval_ns > INTERVAL_MAX_NS ||
	    quota_ns < QUOTA_MIN_NS || limits->peak_ns < quota_ns || limits->peak_ns > interval_ns)
		return -TACT_EINVAL;
	return 0;
}

void nuc_budget_begin(struct nuc_budget *budget, const struct nuc_limits *limits, uint64_t now_ns)
{
	budget->limits = *limits;
	budget->begin_ns = now_ns;
	budget->left_ns = limits->quota_ns;
	budget->credit_ns = 0;
}

void nuc_budget_catch_up(struct nuc_budget *budget, uint64_t now_ns)
{
	const struct nuc_limits *limits = &budget->limits;
	uint64_t intervals, sum;

	if (now_ns < nuc_budget_end_ns(budget))
		return;
	intervals = (now_ns - budget->begin_ns) / limits->interval_ns;
	budget->begin_ns += intervals * limits->interval_ns;
	if (limits->peak_ns == limits->quota_ns) {
		budget->left_ns = limits->quota_ns;
		return;
	}
	/* What was left and what was kept are spread up to the peak. */
	sum = budget->left_ns + budget->credit_ns + intervals * limits->quota_ns;
	budget->left_ns = sum < limits->peak_ns ? sum : limits->peak_ns;
	budget->credit_ns = sum - budget->left_ns;
}
