/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The option string "name=value,…": README.md has the table. */
#define _GNU_SOURCE
#include "bare.h"

#include <string.h>

#include "base/error.h"

int bare_options_parse(const char *text, struct thread_options *options, char reason[256])
{
	char copy[256], *rest = copy, *part;

	*options = (struct thread_options){.lock = true, .mode_signal = SIGXCPU};
	if (!text)
		return 0;
	if (strlen(text) >= sizeof(copy))
		return thread_refuse(reason, -TACT_EINVAL, "the option string is longer than 255");
	memcpy(copy, text, strlen(text) + 1);
	while ((part = strsep(&rest, ","))) {
		const char *name = strsep(&part, "=");

		if (!*name && !part)
			continue;
		if (strcmp(name, "mode_signal"))
			return thread_refuse(
				reason, -TACT_EINVAL,
				"unknown option '%s': the bare back end knows mode_signal", name);
		if (!thread_option_signal(part ? part : "", &options->mode_signal))
			return thread_refuse(
				reason, -TACT_EINVAL,
				"option %s is '%s': give a signal number that a program may use",
				name, part ? part : "");
	}
	return 0;
}
