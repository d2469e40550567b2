/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of tools whose main() is no task, which it is where the skin starts the nucleus. */
#define _GNU_SOURCE /* cpu_set_t */
#include "nucleus.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/tact.h>
#include <xenomai/tunables.h>

bool nucleus_is_quiet(void)
{
	return !get_runtime_tunable(verbosity_level);
}

int nucleus_start(const char *name, int cpu, char notice[TACT_REASON_BYTES])
{
	const cpu_set_t chosen = get_config_tunable(cpu_affinity);
	uint32_t cpus[TACT_CPU_MAX];
	struct tact_config config = {
		.name = name,
		.linux_cpu = cpus,
		.pool_bytes = get_config_tunable(mem_pool_size),
		.share = 1,
	};
	int error;

	for (uint32_t i = 0; i < CPU_SETSIZE && config.cpus < TACT_CPU_MAX; i++)
		if (CPU_ISSET(i, &chosen))
			cpus[config.cpus++] = i;
	if (cpu >= 0) {
		cpus[0] = (uint32_t)cpu;
		config.cpus = 1;
	}
	if (!config.cpus)
		config.linux_cpu = NULL;
	error = tact_start(&config, notice);
	if (error)
		fprintf(stderr, "%s: %s\n", name, notice[0] ? notice : strerror(-error));
	return error ? -1 : 0;
}
