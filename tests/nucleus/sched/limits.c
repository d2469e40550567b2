/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The smallest quanta, budgets and windows: told by one call, accepted, and below them refused by
 * name. */
#include <stdio.h>

#include "exact.h"

static char reason[TACT_REASON_BYTES];
static char smallest[32];

static void nothing(void *unused)
{
	(void)unused;
}

static void expect_class(struct tact_sched_param sched, int result)
{
	struct tact_task_attr attr = {.priority = 20, .sched = &sched};
	tact_task_t task;

	expect_eq(tact_task_create(&attr, &task), result);
	if (!result)
		expect_ok(tact_task_delete(task));
	expect_ok(tact_task_spawn(
		&(struct tact_task_attr){.priority = 20, .flags = TACT_TASK_SUSPENDED}, nothing,
		NULL, &task));
	expect_eq(tact_task_set_sched(task, &sched), result);
	expect_ok(tact_task_delete(task));
}

static void expect_slices(uint64_t slice_ns, const struct tact_sched_limits *limits, int result)
{
	const uint64_t period_ns =
		limits->period_min_ns > 10 * slice_ns ? limits->period_min_ns : 10 * slice_ns;
	struct tact_sched_param turns = {.sched_class = TACT_SCHED_RR,
					 .quantum_ns = limits->slice_min_ns};
	const struct tact_partition_window window[] = {
		{.offset_ns = 0, .length_ns = limits->slice_min_ns, .partition = 1},
		{.offset_ns = limits->slice_min_ns, .length_ns = slice_ns, .partition = 2},
	};
	tact_quota_t group;
	tact_task_t task;

	expect_class(
		(struct tact_sched_param){.sched_class = TACT_SCHED_RR, .quantum_ns = slice_ns},
		result);
	expect_class((struct tact_sched_param){.sched_class = TACT_SCHED_CBS,
					       .budget_ns = slice_ns,
					       .deadline_ns = period_ns,
					       .replenish_ns = period_ns},
		     result);
	expect_class((struct tact_sched_param){.sched_class = TACT_SCHED_SPORADIC,
					       .budget_ns = slice_ns,
					       .replenish_ns = period_ns,
					       .low_priority = 1},
		     result);
	expect_eq(tact_quota_create(NULL, period_ns, slice_ns, 0, 0, &group), result);
	if (result)
		expect_ok(tact_quota_create(NULL, 100 * TEST_MS, 50 * TEST_MS, 0, 0, &group));
	expect_eq(tact_quota_set(group, period_ns, slice_ns, 0), result);
	expect_ok(tact_quota_delete(group));
	expect_ok(tact_task_spawn(&(struct tact_task_attr){.priority = 20,
							   .flags = TACT_TASK_SUSPENDED,
							   .sched = &turns},
				  nothing, NULL, &task));
	expect_eq(tact_task_set_quantum(task, slice_ns), result);
	expect_ok(tact_task_delete(task));
	expect_eq(tact_partition_set(0, window, 2, limits->slice_min_ns + slice_ns), result);
	expect_eq(tact_partition_set(0, &window[1], 1, period_ns), result);
}

/* Everything else about it is right. */
static void expect_period(uint64_t period_ns, const struct tact_sched_limits *limits, int result)
{
	const uint64_t slice_ns =
		limits->slice_min_ns < period_ns ? limits->slice_min_ns : period_ns;
	tact_quota_t group;

	expect_class((struct tact_sched_param){.sched_class = TACT_SCHED_CBS,
					       .budget_ns = slice_ns,
					       .deadline_ns = period_ns,
					       .replenish_ns = period_ns},
		     result);
	expect_eq(tact_quota_create(NULL, period_ns, slice_ns, 0, 0, &group), result);
	if (result)
		expect_ok(tact_quota_create(NULL, 100 * TEST_MS, 50 * TEST_MS, 0, 0, &group));
	expect_eq(tact_quota_set(group, period_ns, slice_ns, 0), result);
	expect_ok(tact_quota_delete(group));
}

static void expect_limits(const struct tact_config *config)
{
	struct tact_sched_limits limits = {0};

	expect_ok(test_start(config, reason));
	expect_ok(tact_sched_limits(NULL));
	expect_ok(tact_sched_limits(&limits));
	if (test_on_sim())
		expect_eq(limits.event_ns, config->gravity.preempt_ns);
	else
		expect_true(limits.event_ns > 0);
	expect_eq(limits.slice_min_ns, 4 * limits.event_ns > 1000 ? 4 * limits.event_ns : 1000);
	expect_true(limits.period_min_ns >= limits.slice_min_ns && limits.period_min_ns >= 10000);
	expect_eq(limits.time_max_ns, UINT64_MAX / 4);
	expect_eq(limits.replenish_max, 8);
	expect_slices(limits.slice_min_ns, &limits, 0);
	capture_reports();
	expect_slices(limits.slice_min_ns - 1, &limits, -TACT_EINVAL);
	snprintf(smallest, sizeof(smallest), "%llu ns", (unsigned long long)limits.slice_min_ns);
	expect_report(smallest);
	expect_report("a quantum of");
	expect_report("a budget of");
	expect_report("a quota of");
	expect_report("a window of");
	expect_period(limits.period_min_ns, &limits, 0);
	/* If the smallest slice is also the smallest period, the message names the budget. */
	if (limits.period_min_ns > limits.slice_min_ns) {
		expect_period(limits.period_min_ns - 1, &limits, -TACT_EINVAL);
		snprintf(smallest, sizeof(smallest), "at least %llu ns (",
			 (unsigned long long)limits.period_min_ns);
		expect_report(smallest);
		expect_report("a period of");
		expect_report("an interval of");
	}
	expect_ok(tact_stop());
}

TEST_UNSTARTED(limits_are_what_is_accepted)
{
	expect_limits(&(struct tact_config){.cpus = 1});
}

/* Whatever is to be anticipated: what an event takes is the machine's. */
TEST_UNSTARTED(limits_with_another_gravity_are_what_is_accepted)
{
	expect_limits(&(struct tact_config){.cpus = 1, .gravity.preempt_ns = 20000});
}

static void ask(void *result)
{
	*(int *)result = tact_sched_limits(NULL);
}

TEST(handler_asks_for_limits)
{
	int result = 1;

	test_in_handler(ask, &result);
	expect_ok(result);
}

TEST_UNSTARTED(limits_want_a_start)
{
	struct tact_sched_limits limits = {0};

	expect_error(tact_sched_limits(&limits), TACT_EPERM);
	expect_ok(test_start(&(struct tact_config){.cpus = 1}, reason));
	expect_ok(tact_sched_limits(&limits));
	expect_ok(tact_stop());
	expect_error(tact_sched_limits(&limits), TACT_EPERM);
}
