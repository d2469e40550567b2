/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sched_setconfig_np() and sched_getconfig_np(), by class and CPU. */
#include "cobalt_internal.h"

int sched_setconfig_np(int cpu, int policy, const union sched_config *config, size_t len)
{
	int index = cobalt_cpu(cpu);

	if (index < 0 || !config)
		return EINVAL;
	switch (policy) {
	case SCHED_TP:
		if (len < sizeof(config->tp) ||
		    (config->tp.op == sched_tp_install &&
		     (config->tp.nr_windows < 0 ||
		      len < sched_tp_confsz((size_t)config->tp.nr_windows))))
			return EINVAL;
		return -cobalt_result(cobalt_partition_set(index, &config->tp));
	case SCHED_QUOTA:
		if (len < sched_quota_confsz())
			return EINVAL;
		/* The figures of the group are written to an argument that the interface calls
		 * constant. */
		return -cobalt_result(
			cobalt_quota_set(index, (union sched_config *)(uintptr_t)config));
	default:
		return EINVAL;
	}
}

ssize_t sched_getconfig_np(int cpu, int policy, union sched_config *config, size_t *len_r)
{
	int index = cobalt_cpu(cpu);
	ssize_t result;

	if (index < 0 || !config || !len_r)
		return EINVAL;
	switch (policy) {
	case SCHED_TP:
		result = cobalt_partition_get(index, &config->tp, *len_r);
		break;
	case SCHED_QUOTA:
		result = *len_r < sched_quota_confsz() ? -EINVAL : cobalt_quota_get(index, config);
		break;
	default:
		return EINVAL;
	}
	if (result < 0)
		return -result;
	*len_r = (size_t)result;
	return 0;
}
