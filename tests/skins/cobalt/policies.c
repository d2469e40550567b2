/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cobalt's policies by the plain calls, by negative priorities, and what it leaves to Linux. */
#include "cobalt_test.h"

#include <sched.h>

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
		CASE(no_windows_are_no_schedule),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
