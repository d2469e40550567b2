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

int nucleus_start(const char *name)
{
	const cpu_set_t chosen = get_config_tunable(cpu_affinity);
	const char *session = getenv("TACTUS_SESSION"); /* --session is there, too */
	char reason[TACT_REASON_BYTES];
	uint32_t cpus[TACT_CPU_MAX];
	struct tact_config config = {
		.name = name,
		.linux_cpu = cpus,
		.pool_bytes = get_config_tunable(mem_pool_size),
		.share = session && *session,
	};
	int error;

	for (uint32_t cpu = 0; cpu < CPU_SETSIZE && config.cpus < TACT_CPU_MAX; cpu++)
		if (CPU_ISSET(cpu, &chosen))
			cpus[config.cpus++] = cpu;
	if (!config.cpus)
		config.linux_cpu = NULL;
	error = tact_start(&config, reason);
	if (error)
		fprintf(stderr, "%s: %s\n", name, reason[0] ? reason : strerror(-error));
	return error ? -1 : 0;
}
