/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options of the virtual-time back end: "name=value,…". An unknown name or a bad value is refused.
 */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "state.h"

#define NAMES       "seed, cost, linux_cost, limit, trace, watchdog"
#define COST_MAX    1000000000ull
#define SECONDS_MAX 1000000000ull

void sim_options_default(struct sim_options *options)
{
	*options = (struct sim_options){
		.costs = {.point_ns = 1,
			  .kick_ns = 1,
			  .linux_call_ns = 1000,
			  .linux_wake_ns = 1000,
			  .dispatch_ns = 5000},
		.limit_ns = SIM_NEVER,
		.watchdog_s = 10,
	};
}

static int number(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return -TACT_EINVAL;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return errno || *end || *value < min || *value > max ? -TACT_EINVAL : 0;
}

static int set(struct sim_options *options, const char *name, const char *value, const char **wants)
{
	uint64_t n;

	if (!strcmp(name, "seed")) {
		*wants = "a number of 64 bits";
		if (number(value, 0, UINT64_MAX, &options->seed))
			return -TACT_EINVAL;
		options->seeded = true;
		return 0;
	}
	if (!strcmp(name, "cost")) {
		*wants = "1 to 1000000000 ns";
		if (number(value, 1, COST_MAX, &n))
			return -TACT_EINVAL;
		options->costs.point_ns = n;
		return 0;
	}
	if (!strcmp(name, "linux_cost")) {
		*wants = "1 to 1000000000 ns";
		if (number(value, 1, COST_MAX, &n))
			return -TACT_EINVAL;
		options->costs.linux_call_ns = n;
		return 0;
	}
	if (!strcmp(name, "limit")) {
		*wants = "seconds of virtual time, 0 for none";
		if (number(value, 0, SECONDS_MAX, &n))
			return -TACT_EINVAL;
		options->limit_ns = n ? SIM_START_NS + n * 1000000000ull : SIM_NEVER;
		return 0;
	}
	if (!strcmp(name, "watchdog")) {
		*wants = "seconds of host time, 0 for none";
		if (number(value, 0, SECONDS_MAX, &n))
			return -TACT_EINVAL;
		options->watchdog_s = (uint32_t)n;
		return 0;
	}
	if (!strcmp(name, "trace")) {
		*wants = "a file name of 1 to 255 bytes";
		if (!value[0] || strlen(value) >= sizeof(options->trace))
			return -TACT_EINVAL;
		strcpy(options->trace, value);
		return 0;
	}
	*wants = NULL;
	return -TACT_EINVAL;
}

int sim_options_parse(struct sim_options *options, const char *text, const char *source,
		      char reason[HAL_REASON_BYTES])
{
	char item[320];

	while (text && *text) {
		size_t length = strcspn(text, ",");
		const char *wants = NULL;
		char *equals;

		if (length >= sizeof(item)) {
			snprintf(reason, 256, "%s: an option is longer than %zu bytes", source,
				 sizeof(item) - 1);
			return -TACT_EINVAL;
		}
		memcpy(item, text, length);
		item[length] = '\0';
		text += length + (text[length] == ',');
		if (!length)
			continue;
		equals = strchr(item, '=');
		if (equals)
			*equals = '\0';
		if (!set(options, item, equals ? equals + 1 : "", &wants))
			continue;
		if (wants)
			snprintf(reason, 256, "%s: option %.20s needs %s, not \"%.60s\"", source,
				 item, wants, equals ? equals + 1 : "");
		else
			snprintf(reason, 256, "%s: no option \"%.60s\"; the simulation has " NAMES,
				 source, item);
		return -TACT_EINVAL;
	}
	return 0;
}
