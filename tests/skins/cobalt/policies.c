/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cobalt's policies by the plain calls, by negative priorities, and what it leaves to Linux. */
#include "cobalt_test.h"

#include <sched.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

static void *ask_for_linuxs_ranges(void *unused)
{
	static const int policies[] = {SCHED_BATCH, SCHED_IDLE, SCHED_DEADLINE};

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		expect_eq(sched_get_priority_min(policies[i]), 0);
		expect_eq(sched_get_priority_max(policies[i]), 0);
		expect_eq(sched_get_priority_min_ex(policies[i]), 0);
		expect_eq(sched_get_priority_max_ex(policies[i]), 0);
	}
	return unused;
}

/* Only the ranges are told: no thread of Cobalt's is of them. */
static void ranges_of_linuxs_own_policies_are_told(void)
{
	const struct sched_param_ex none = {.sched_priority = 0};
	pthread_attr_ex_t attr;

	(void)ask_for_linuxs_ranges(NULL);
	in_task(ask_for_linuxs_ranges, NULL);
	expect_eq(pthread_setschedparam_ex(pthread_self(), SCHED_BATCH, &none), EINVAL);
	expect_ok(pthread_attr_init_ex(&attr));
	expect_eq(pthread_attr_setschedpolicy_ex(&attr, SCHED_BATCH), EINVAL);
	expect_ok(pthread_attr_destroy_ex(&attr));
	expect_eq(cobalt_sched_weighted_prio(SCHED_BATCH, &none), -EINVAL);
}

static void no_windows_are_no_schedule(void)
{
	union sched_config *config = calloc(1, sched_tp_confsz(1));
	union sched_config none = {.tp = {.op = sched_tp_install}};
	size_t length = sched_tp_confsz(1);

	config->tp = (struct __sched_config_tp){.op = sched_tp_install, .nr_windows = 1};
	config->tp.windows[0] = (struct sched_tp_window){.duration = {0, 20 * MS}};
	/* Also where there is none. */
	expect_ok(sched_setconfig_np(0, SCHED_TP, &none, sched_tp_confsz(0)));
	expect_ok(sched_setconfig_np(0, SCHED_TP, config, length));
	expect_eq(sched_getconfig_np(0, SCHED_TP, config, &length), (int64_t)sched_tp_confsz(1));
	expect_ok(sched_setconfig_np(0, SCHED_TP, &none, sched_tp_confsz(0)));
	length = sched_tp_confsz(1);
	expect_ok(sched_getconfig_np(0, SCHED_TP, config, &length));
	none.tp.nr_windows = -1;
	expect_eq(sched_setconfig_np(0, SCHED_TP, &none, sched_tp_confsz(0)), EINVAL);
	free(config);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(ranges_of_linuxs_own_policies_are_told),
		CASE(no_windows_are_no_schedule),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
