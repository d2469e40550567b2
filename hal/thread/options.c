/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The option string "name=value,…" (README.md), and the sentences of hal_start(). */
#define _GNU_SOURCE
#include "thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define REASON_BYTES 256u

void thread_notice(char reason[256], const char *format, ...)
{
	size_t used = strlen(reason);
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(reason + used, REASON_BYTES - used, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= REASON_BYTES - used)
		reason[used] = 0;
}

int thread_refuse(char reason[256], int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, REASON_BYTES, format, arguments);
	va_end(arguments);
	return error;
}

static bool is_one_of(const char *value, const char *yes, const char *no, bool *result)
{
	*result = !strcmp(value, yes);
	return *result || !strcmp(value, no);
}

static bool set_shot(const char *value, struct thread_options *options)
{
	if (!strcmp(value, "auto"))
		options->shot = THREAD_SHOT_AUTO;
	else if (!strcmp(value, "posix"))
		options->shot = THREAD_SHOT_POSIX;
	else if (!strcmp(value, "helper"))
		options->shot = THREAD_SHOT_HELPER;
	else
		return false;
	return true;
}

static bool set_mode_signal(const char *value, struct thread_options *options)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (end == value || *end || number < 1 || number > 64 || number == SIGKILL ||
	    number == SIGSTOP || number == SIGSYS || number == THREAD_SIGNAL_CANCEL ||
	    number == THREAD_SIGNAL_SETXID)
		return false;
	options->mode_signal = (int)number;
	return true;
}

static bool set_gravity(const char *value, struct thread_options *options)
{
	options->tuned = strcmp(value, "none") != 0;
	if (!options->tuned)
		return true;
	strcpy(options->gravity, value); /* not longer than all options */
	return *value == '/';
}

static bool set_option(const char *name, const char *value, struct thread_options *options,
		       const char **allowed)
{
	if (!strcmp(name, "shot")) {
		*allowed = "auto, posix or helper";
		return set_shot(value, options);
	}
	if (!strcmp(name, "memory")) {
		*allowed = "lock or leave";
		return is_one_of(value, "lock", "leave", &options->lock);
	}
	if (!strcmp(name, "power")) {
		*allowed = "hold or leave";
		return is_one_of(value, "hold", "leave", &options->power);
	}
	if (!strcmp(name, "throttling")) {
		*allowed = "lift or leave";
		return is_one_of(value, "lift", "leave", &options->throttle);
	}
	if (!strcmp(name, "mode_signal")) {
		*allowed = "a signal number that a program may use";
		return set_mode_signal(value, options);
	}
	if (!strcmp(name, "gravity")) {
		*allowed = "none, or a file by its absolute path";
		return set_gravity(value, options);
	}
	*allowed = NULL;
	return false;
}

int thread_options_parse(const char *text, struct thread_options *options, char reason[256])
{
	char copy[256], *rest = copy, *part;

	*options = (struct thread_options){.lock = true,
					   .power = true,
					   .throttle = true,
					   .mode_signal = SIGXCPU,
					   .tuned = true};
	if (!text)
		return 0;
	if (strlen(text) >= sizeof(copy))
		return thread_refuse(reason, -TACT_EINVAL, "the option string is longer than 255");
	memcpy(copy, text, strlen(text) + 1);
	while ((part = strsep(&rest, ","))) {
		const char *allowed, *name = strsep(&part, "=");

		if (!*name && !part)
			continue;
		if (set_option(name, part ? part : "", options, &allowed))
			continue;
		if (!allowed)
			return thread_refuse(reason, -TACT_EINVAL,
					     "unknown option '%s': the thread back end knows shot, "
					     "memory, power, throttling, mode_signal and gravity",
					     name);
		return thread_refuse(reason, -TACT_EINVAL, "option %s is '%s': give %s", name,
				     part ? part : "", allowed);
	}
	return 0;
}
