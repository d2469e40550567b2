/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The priorities of each policy, and the policy that a priority means. */
#include "cobalt_internal.h"

#include <sched.h>

#define PRIORITY_MAX 99

int cobalt_priority_min(int policy)
{
	switch (policy) {
	case SCHED_FIFO:
	case SCHED_RR:
	case SCHED_SPORADIC:
	case SCHED_TP:
	case SCHED_QUOTA:
	case SCHED_COBALT:
		return 1;
	case SCHED_OTHER:
	case SCHED_WEAK:
		return 0;
	default:
		return -1;
	}
}

/* For a policy that has a least priority. */
static int priority_max(int policy)
{
	return policy == SCHED_OTHER ? 0 : PRIORITY_MAX;
}

int sched_get_priority_min_ex(int policy)
{
	int low = cobalt_priority_min(policy);

	return low < 0 ? sched_get_priority_min(policy) : low;
}

int sched_get_priority_max_ex(int policy)
{
	return cobalt_priority_min(policy) < 0 ? sched_get_priority_max(policy)
					       : priority_max(policy);
}

int __wrap_sched_get_priority_min(int policy)
{
	return sched_get_priority_min_ex(policy);
}

int __wrap_sched_get_priority_max(int policy)
{
	return sched_get_priority_max_ex(policy);
}

bool cobalt_policy_is_known(int policy, const struct sched_param_ex *param)
{
	int low = cobalt_priority_min(policy);

	return low >= 0 && param->sched_priority >= low &&
	       param->sched_priority <= priority_max(policy);
}

int cobalt_policy_meant(int policy, const struct sched_param_ex *given,
			struct sched_param_ex *meant)
{
	*meant = *given;
	if (given->sched_priority >= 0 || given->sched_priority < -PRIORITY_MAX)
		return policy;
	meant->sched_priority = -given->sched_priority;
	return SCHED_WEAK;
}

int cobalt_sched_weighted_prio(int policy, const struct sched_param_ex *param_ex)
{
	struct sched_param_ex meant;

	policy = cobalt_policy_meant(policy, param_ex, &meant);
	if (!cobalt_policy_is_known(policy, &meant))
		return -EINVAL;
	return cobalt_priority_min(policy) ? (int)posix_level(meant.sched_priority) : 0;
}
