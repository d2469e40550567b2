/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of `tactus run`, which its launcher puts into the environment. */
#define _GNU_SOURCE
#include "posix/state/options.h"

#include <stdlib.h>

#include <tactus/tact.h>

bool posix_summary_wanted;

bool posix_option_is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value && !(value[0] == '0' && !value[1]);
}

uint32_t posix_task_flags(void)
{
	return (posix_option_is_set("TACTUS_RUN_REPORT_SWITCH") ? TACT_TASK_WARN : 0) |
	       (posix_option_is_set("TACTUS_RUN_DENY_SWITCH") ||
				posix_option_is_set("TACTUS_RUN_LIGHT")
			? TACT_TASK_NO_LINUX
			: 0);
}

bool posix_real_time_is_required(void)
{
	return posix_option_is_set("TACTUS_REQUIRE");
}
