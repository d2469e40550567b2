/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What hal_start() refuses before it touches anything, and the program as it was asked for. */
#include "thread.h"

#include <string.h>
#include <unistd.h>

#include "arch/self.h"
#include "base/error.h"

static int check(const struct hal_config *config, bool running, char reason[256])
{
	const char *missing = hal_arch_missing();

	if (!hal_linux_caller_ok())
		return thread_refuse(reason, -TACT_EPERM,
				     "a fork's child has no real-time CPUs: exec a program first");
	if (running)
		return thread_refuse(reason, -TACT_EBUSY, "the real-time CPUs run already");
	if (missing)
		return thread_refuse(reason, -TACT_ENOSYS, "%s", missing);
	if (!config->cpu_count || config->cpu_count > HAL_MAX_CPUS)
		return thread_refuse(reason, -TACT_EINVAL, "%u real-time CPUs: give 1 to %d",
				     config->cpu_count, HAL_MAX_CPUS);
	if (config->priority > THREAD_PRIORITY_MAX)
		return thread_refuse(reason, -TACT_EINVAL, "priority %u: give 1 to %u",
				     config->priority, THREAD_PRIORITY_MAX);
	if (config->idle > HAL_IDLE_SPIN)
		return thread_refuse(reason, -TACT_EINVAL, "idle policy %d: there are 0 to 2",
				     (int)config->idle);
	return 0;
}

int thread_program_begin(const struct hal_config *config, bool running,
			 int (*parse)(const char *text, struct thread_options *options,
				      char reason[256]),
			 char reason[256])
{
	int error;

	reason[0] = 0;
	error = check(config, running, reason);
	if (error)
		return error;
	memset(&thread_program, 0, sizeof(thread_program));
	error = parse(config->options, &thread_program.options, reason);
	if (error)
		return error;
	thread_program.cpu_count = config->cpu_count;
	thread_program.idle = config->idle;
	thread_program.priority = config->priority ? config->priority : THREAD_PRIORITY;
	thread_program.pid = (int)getpid();
	strncpy(thread_program.name, config->program ? config->program : "?",
		sizeof(thread_program.name) - 1);
	return 0;
}
