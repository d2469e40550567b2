/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Budgets of quota groups and of the class CBS. Invariants: left is at most the peak; if peak and
 * quota are equal, or with a debt, there is no credit. A credit or a debt grows no faster than
 * time, so that nothing here overflows.
 */
#include "task/budget.h"

#include "base/error.h"

#define QUOTA_MIN_NS 1000

int nuc_limits_set(struct nuc_limits *limits, uint64_t interval_ns, uint64_t quota_ns,
		   uint64_t peak_ns)
{
	limits->interval_ns = interval_ns;
	limits->quota_ns = quota_ns;
	limits->peak_ns = peak_ns ? peak_ns : quota_ns;
	if (interval_ns < NUC_INTERVAL_MIN_NS || interval_ns > NUC_INTERVAL_MAX_NS ||
	    quota_ns < QUOTA_MIN_NS || limits->peak_ns < quota_ns || limits->peak_ns > interval_ns)
		return -TACT_EINVAL;
	return 0;
}

void nuc_budget_begin(struct nuc_budget *budget, const struct nuc_limits *limits, uint64_t now_ns)
{
	budget->limits = *limits;
	budget->begin_ns = now_ns;
	budget->left_ns = (int64_t)limits->quota_ns;
	budget->credit_ns = 0;
}

void nuc_budget_catch_up(struct nuc_budget *budget, uint64_t now_ns)
{
	const struct nuc_limits *limits = &budget->limits;
	uint64_t intervals;
	int64_t sum;

	if (now_ns < nuc_budget_end_ns(budget))
		return;
	intervals = (now_ns - budget->begin_ns) / limits->interval_ns;
	budget->begin_ns += intervals * limits->interval_ns;
	if (limits->peak_ns == limits->quota_ns)
		nuc_budget_give_up(budget);
	/* The rest or debt, the credit and the new quotas are added; what exceeds the peak becomes
	 * credit. */
	sum = budget->left_ns + (int64_t)(budget->credit_ns + intervals * limits->quota_ns);
	budget->left_ns = sum < (int64_t)limits->peak_ns ? sum : (int64_t)limits->peak_ns;
	budget->credit_ns =
		limits->peak_ns == limits->quota_ns ? 0 : (uint64_t)(sum - budget->left_ns);
}

uint64_t nuc_budget_due_ns(const struct nuc_budget *budget)
{
	uint64_t debt_ns = budget->left_ns < 0 ? (uint64_t)-budget->left_ns : 0;
	uint64_t intervals = debt_ns / budget->limits.quota_ns + 1;
	uint64_t wait_ns;

	if (__builtin_mul_overflow(intervals, budget->limits.interval_ns, &wait_ns) ||
	    wait_ns > NUC_INTERVAL_MAX_NS)
		wait_ns = NUC_INTERVAL_MAX_NS;
	return budget->begin_ns + wait_ns;
}
