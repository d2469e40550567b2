/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the option strings "name=value,…" of the back ends with real CPUs have in common: how they
 * are parsed, what a refusal says, and common kinds of values.
 */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "options.h"
#include "program.h"
#include "reason.h"

int linux_options_each(const char *text, const struct linux_option_set *set,
		       struct linux_options *options, char reason[HAL_REASON_BYTES])
{
	char copy[256], *rest = copy, *part;

	if (!text)
		return 0;
	if (strlen(text) >= sizeof(copy))
		return linux_refuse(reason, -TACT_EINVAL, "the option string is longer than 255");
	memcpy(copy, text, strlen(text) + 1);
	while ((part = strsep(&rest, ","))) {
		const char *allowed = NULL, *name = strsep(&part, "=");

		if (!*name && !part)
			continue;
		if (set->take(name, part ? part : "", options, &allowed))
			continue;
		if (!allowed)
			return linux_refuse(reason, -TACT_EINVAL, "unknown option '%s': %s", name,
					    set->known);
		return linux_refuse(reason, -TACT_EINVAL, "option %s is '%s': give %s", name,
				    part ? part : "", allowed);
	}
	return 0;
}

bool linux_option_signal(const char *value, int *signal)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (end == value || *end || number < 1 || number > 64 || number == SIGKILL ||
	    number == SIGSTOP || number == SIGSYS || number == LINUX_SIGNAL_CANCEL ||
	    number == LINUX_SIGNAL_SETXID)
		return false;
	*signal = (int)number;
	return true;
}

bool linux_option_word(const char *value, const char *yes, const char *no, bool *result)
{
	*result = !strcmp(value, yes);
	return *result || !strcmp(value, no);
}
