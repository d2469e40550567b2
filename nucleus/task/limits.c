/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The limits that a class can keep on the running back end. A slice that is shorter than the event
 * that ends it would be all overrun. The shortest slice is therefore a few events long, so that
 * most of it is the task's.
 */
#include "task/limits.h"

#include "base/error.h"
#include "base/string.h"
#include "kernel/sized.h"
#include "task/class.h"

#define EVENTS_IN_A_SLICE 4u
#define SLICE_MIN_NS      1000u
#define EVENTS_LATE       4u

uint64_t nuc_slice_min_ns(void)
{
	uint64_t least_ns = (uint64_t)EVENTS_IN_A_SLICE * nuc_event_ns;

	return least_ns > SLICE_MIN_NS ? least_ns : SLICE_MIN_NS;
}

static uint64_t period_min_ns(void)
{
	uint64_t slice_ns = nuc_slice_min_ns();

	return slice_ns > NUC_INTERVAL_MIN_NS ? slice_ns : NUC_INTERVAL_MIN_NS;
}

static int check(const char *what, uint64_t value_ns, uint64_t least_ns, const char *why)
{
	char text[200];

	if (value_ns >= least_ns)
		return 0;
	/* 0 is a member that was forgotten: print nothing. */
	if (value_ns)
		hal_print(text,
			  base_print(text, sizeof(text),
				     "tactus: %s of %llu ns is refused: here it is at least %llu "
				     "ns%s (tact_sched_limits())\n",
				     what, (unsigned long long)value_ns,
				     (unsigned long long)least_ns, why));
	return -TACT_EINVAL;
}

int nuc_slice_check(const char *what, uint64_t slice_ns)
{
	_Static_assert(EVENTS_IN_A_SLICE == 4, "the text has the number");
	return check(what, slice_ns, nuc_slice_min_ns(), ", 4 times what ending it costs");
}

int nuc_period_check(const char *what, uint64_t period_ns)
{
	return check(what, period_ns, period_min_ns(), "");
}

int nuc_sched_check_slice(const struct tact_sched_param *param)
{
	switch (param->sched_class) {
	case TACT_SCHED_RR:
		return nuc_slice_check("a quantum", param->quantum_ns);
	case TACT_SCHED_SPORADIC:
		return nuc_slice_check("a budget", param->budget_ns);
	case TACT_SCHED_CBS:
		if (nuc_slice_check("a budget", param->budget_ns))
			return -TACT_EINVAL;
		return nuc_period_check("a period", param->replenish_ns);
	default:
		return 0;
	}
}

uint64_t nuc_lateness_ns(void)
{
	return (uint64_t)EVENTS_LATE * nuc_event_ns;
}

int64_t nuc_slice_debt(int64_t left_ns, uint64_t slice_ns)
{
	int64_t most_ns = (int64_t)(slice_ns + nuc_lateness_ns());

	return left_ns < -most_ns ? -most_ns : left_ns;
}

int tact_sched_limits(struct tact_sched_limits *limits)
{
	struct tact_sched_limits known;

	if (!nuc_cpu_count || !hal_linux_caller_ok())
		return -TACT_EPERM;
	if (nuc_sized_check(limits, sizeof(*limits)))
		return -TACT_EINVAL;
	if (!limits)
		return 0;
	known = (struct tact_sched_limits){
		.event_ns = nuc_event_ns,
		.slice_min_ns = nuc_slice_min_ns(),
		.period_min_ns = period_min_ns(),
		.time_max_ns = NUC_INTERVAL_MAX_NS,
		.replenish_max = NUC_SPORADIC_MAX,
	};
	nuc_sized_write(limits, sizeof(*limits), &known, sizeof(known));
	return 0;
}
