/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start and stop, and the answers to bad configurations. */
#include "suite.h"

#include <string.h>

#include "base/error.h"

static struct suite_task task;

static void refused(const char *what, int code, const struct hal_config *config)
{
	char reason[256] = "";

	expect(what, code, suite_try_start(config, reason));
	expect_true("with a sentence", strlen(reason) > 10 && strlen(reason) < 256);
}

static void bad_configurations_are_refused(void)
{
	struct hal_config config = suite_config(0);
	const uint32_t no_such_cpu = 100000;

	refused("no CPU", -TACT_EINVAL, &config);
	config = suite_config(HAL_MAX_CPUS + 1);
	refused("too many CPUs", -TACT_EINVAL, &config);
	config = suite_config(1);
	config.idle = (enum hal_idle)7;
	refused("no such idle policy", -TACT_EINVAL, &config);
	config = suite_config(1);
	config.options = "no_such_option=1";
	refused("no such option", -TACT_EINVAL, &config);
	config.options = "=";
	refused("an option without a name", -TACT_EINVAL, &config);
	config = suite_config(1);
	config.linux_cpus = &no_such_cpu;
	refused("no such CPU", -TACT_ENXIO, &config);
	/* And a good one still starts. */
	suite_start(1);
	suite_stop();
}

static void second_start_is_refused(void)
{
	struct hal_cpu extra = {0}, *records[1] = {&extra};
	struct hal_config config = suite_config(1);
	char reason[256] = "";

	suite_start(1);
	expect("while it runs", -TACT_EBUSY, hal_start(&config, records, reason));
	expect_true("with a sentence", strlen(reason) > 10);
	suite_stop();
}

static void nothing(void *arg)
{
	(void)arg;
}

static void started_and_stopped_again(void)
{
	for (unsigned i = 0; i < 5; i++) {
		suite_start(1 + (back_end_cpus() > 1 && i % 2));
		suite_task_start(&task, 0, i % 2, nothing, NULL);
		suite_task_join(&task);
		suite_stop();
	}
	hal_stop(); /* a second stop is harmless */
}

static void cpus_are_described(void)
{
	unsigned cpus = back_end_cpus() > 1 ? 2 : 1;

	suite_start(cpus);
	for (unsigned i = 0; i < cpus; i++) {
		const struct hal_cpu *cpu = &suite_cpus[i].hal;

		await("started", &suite_cpus[i].starts, 1);
		expect("index", i, cpu->index);
		expect("kind", HAL_SELF_CPU, cpu->self.kind);
		expect_true("self", cpu->self.self == &cpu->self);
		if (i)
			expect_true("another CPU", cpu->linux_cpu != suite_cpus[0].hal.linux_cpu);
	}
	suite_stop();
}

const struct suite_case cases_start[] = {
	CASE(bad_configurations_are_refused),
	CASE(second_start_is_refused),
	CASE(started_and_stopped_again),
	CASE(cpus_are_described),
	{NULL, NULL},
};
