/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The option string "name=value,…": README.md has the table. */
#define _GNU_SOURCE

#include "bare.h"

#include <string.h>

#include "options.h"

static bool take_option(const char *name, const char *value, struct linux_options *options,
			const char **allowed)
{
	if (!strcmp(name, "siblings")) {
		*allowed = "take or leave";
		return linux_option_word(value, "take", "leave", &options->siblings);
	}
	if (!strcmp(name, "mode_signal")) {
		*allowed = "a signal number that a program may use";
		return linux_option_signal(value, &options->mode_signal);
	}
	return false;
}

int bare_options_parse(const char *text, struct linux_options *options,
		       char reason[HAL_REASON_BYTES])
{
	static const struct linux_option_set set = {
		take_option, "the bare back end has siblings and mode_signal"};

	*options = (struct linux_options){.lock = true, .mode_signal = SIGXCPU};
	return linux_options_each(text, &set, options, reason);
}
