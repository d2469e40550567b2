/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What hal_start() refuses before it touches anything, and the program as it was requested. */

#include "program.h"

#include <string.h>
#include <unistd.h>

#include "arch/self.h"
#include "back_end.h"
#include "base/error.h"
#include "options.h"
#include "policy.h"
#include "reason.h"

struct linux_program linux_program;

static int check(const struct hal_config *config, bool running, char reason[HAL_REASON_BYTES])
{
	const char *missing = hal_arch_missing();

	if (!hal_linux_caller_ok())
		return linux_refuse(reason, -TACT_EPERM,
				    "a fork's child has no real-time CPUs: exec a program first");
	if (running)
		return linux_refuse(reason, -TACT_EBUSY, "the real-time CPUs already run");
	if (missing)
		return linux_refuse(reason, -TACT_ENOSYS, "%s", missing);
	if (!config->cpu_count || config->cpu_count > HAL_MAX_CPUS)
		return linux_refuse(reason, -TACT_EINVAL, "%u real-time CPUs: give 1 to %d",
				    config->cpu_count, HAL_MAX_CPUS);
	if (config->priority > LINUX_PRIORITY_MAX)
		return linux_refuse(reason, -TACT_EINVAL, "priority %u: give 1 to %u",
				    config->priority, LINUX_PRIORITY_MAX);
	if (config->idle > HAL_IDLE_SPIN)
		return linux_refuse(reason, -TACT_EINVAL, "idle policy %d: give 0 to 2",
				    (int)config->idle);
	return 0;
}

int linux_program_begin(const struct hal_config *config, bool running,
			int (*parse)(const char *text, struct linux_options *options,
				     char reason[HAL_REASON_BYTES]),
			char reason[HAL_REASON_BYTES])
{
	int error;

	reason[0] = 0;
	error = check(config, running, reason);
	if (error)
		return error;
	memset(&linux_program, 0, sizeof(linux_program));
	error = parse(config->options, &linux_program.options, reason);
	if (error)
		return error;
	linux_program.cpu_count = config->cpu_count;
	linux_program.idle = config->idle;
	linux_program.priority = config->priority ? config->priority : LINUX_PRIORITY;
	linux_program.pid = (int)getpid();
	strncpy(linux_program.name, config->program ? config->program : "?",
		sizeof(linux_program.name) - 1);
	return 0;
}

int hal_start(const struct hal_config *config, struct hal_cpu *const cpus[],
	      char reason[HAL_REASON_BYTES])
{
	struct linux_policy former;
	bool changed = linux_births_begin(&former);
	int error = backend_start(config, cpus, reason);

	if (changed)
		linux_policy_put(&former);
	return error;
}
