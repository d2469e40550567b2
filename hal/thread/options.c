/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The option string "name=value,…" (README.md). */
#define _GNU_SOURCE

#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "options.h"
#include "thread.h"

static bool set_shot(const char *value, struct linux_options *options)
{
	if (!strcmp(value, "auto"))
		options->shot = LINUX_SHOT_AUTO;
	else if (!strcmp(value, "posix"))
		options->shot = LINUX_SHOT_POSIX;
	else if (!strcmp(value, "helper"))
		options->shot = LINUX_SHOT_HELPER;
	else
		return false;
	return true;
}

static bool set_gravity(const char *value, struct linux_options *options)
{
	options->tuned = strcmp(value, "none") != 0;
	if (!options->tuned)
		return true;
	strcpy(options->gravity, value); /* not longer than all options */
	return *value == '/';
}

static bool take_option(const char *name, const char *value, struct linux_options *options,
			const char **allowed)
{
	if (!strcmp(name, "shot")) {
		*allowed = "auto, posix or helper";
		return set_shot(value, options);
	}
	if (!strcmp(name, "memory")) {
		*allowed = "lock or leave";
		return linux_option_word(value, "lock", "leave", &options->lock);
	}
	if (!strcmp(name, "power")) {
		*allowed = "hold or leave";
		return linux_option_word(value, "hold", "leave", &options->power);
	}
	if (!strcmp(name, "throttling")) {
		*allowed = "lift or leave";
		return linux_option_word(value, "lift", "leave", &options->throttle);
	}
	if (!strcmp(name, "mode_signal")) {
		*allowed = "a signal number that a program may use";
		return linux_option_signal(value, &options->mode_signal);
	}
	if (!strcmp(name, "gravity")) {
		*allowed = "none, or a file by its absolute path";
		return set_gravity(value, options);
	}
	return false;
}

int thread_options_parse(const char *text, struct linux_options *options,
			 char reason[HAL_REASON_BYTES])
{
	static const struct linux_option_set set = {
		take_option, "the thread back end has shot, memory, power, throttling, "
			     "mode_signal and gravity"};

	*options = (struct linux_options){.lock = true,
					  .power = true,
					  .throttle = true,
					  .mode_signal = SIGXCPU,
					  .tuned = true};
	return linux_options_each(text, &set, options, reason);
}
