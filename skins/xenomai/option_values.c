/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The values of the options of Xenomai programs. A value that is not understood as a whole is
 * refused. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "option_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <boilerplate/setup.h>

#include "skin_options.h"

_Noreturn void skin_option_refuse(const char *name, const char *value, const char *allowed)
{
	fprintf(stderr, "%s: --%s=%s: %s\n", program_invocation_short_name, name, value, allowed);
	exit(1);
}

static bool number(const char **text, unsigned long long limit, unsigned long long *result)
{
	char *rest;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*result = strtoull(*text, &rest, 10);
	*text = rest;
	return !errno && *result <= limit;
}

void skin_option_cpus(const char *name, const char *value)
{
	static const char allowed[] =
		"give at most 31 CPU numbers of at most 1023, as in 1 or 0-2 or 1,3";
	const char *text = value;

	skin_options.cpus = 0;
	CPU_ZERO(&__base_setup_data.cpu_affinity);
	do {
		unsigned long long first;
		unsigned long long last;

		if (!number(&text, CPU_SETSIZE - 1, &first))
			skin_option_refuse(name, value, allowed);
		last = first;
		if (*text == '-' && (text++, !number(&text, CPU_SETSIZE - 1, &last)))
			skin_option_refuse(name, value, allowed);
		for (; first <= last; first++) {
			if (skin_options.cpus == TACT_CPU_MAX)
				skin_option_refuse(name, value, "these are more than 31 CPUs");
			skin_options.cpu[skin_options.cpus++] = (uint32_t)first;
			CPU_SET(first, &__base_setup_data.cpu_affinity);
		}
	} while (*text == ',' && text++);
	if (*text || !skin_options.cpus)
		skin_option_refuse(name, value, allowed);
}

void skin_option_pool(const char *name, const char *value)
{
	static const char units[] = "KMG";
	const char *text = value;
	const char *unit;
	unsigned long long bytes;

	if (!number(&text, 1ull << 40, &bytes) || !bytes)
		skin_option_refuse(name, value, "give a size, as in 64K, 16M or 1G");
	unit = *text ? strchr(units, *text) : NULL;
	if (unit) {
		bytes <<= 10 * (unit - units + 1);
		text++;
	}
	if (*text || bytes > 1ull << 40)
		skin_option_refuse(name, value, "give a size, as in 64K, 16M or 1G");
	skin_options_set_pool((size_t)bytes);
}

void skin_option_tick(const char *name, const char *value)
{
	const char *text = value;
	unsigned long long ns;

	if (!number(&text, SKIN_TICK_MAX_NS, &ns) || !ns || *text)
		skin_option_refuse(name, value, "give a number of nanoseconds, 1 to 1000000000");
	skin_options.tick_ns = ns;
}

void skin_option_session(const char *name, const char *value)
{
	const char *slash = strchr(value, '/');

	if (!*value || *value == '.' || slash == value || (slash && !slash[1]))
		skin_option_refuse(name, value,
				   "give a label that does not begin with a dot, or LABEL/GROUP");
	skin_options.session = value;
}

void skin_option_quiet(const char *name, const char *value)
{
	(void)name;
	(void)value;
	skin_options.quiet = true;
	__base_setup_data.verbosity_level = 0;
}

static void set_level(const char *name, const char *value, int *level)
{
	const char *text = value;
	unsigned long long number_given = 1;

	if (*text && (!number(&text, 9, &number_given) || *text))
		skin_option_refuse(name, value, "give a level, 0 to 9");
	*level = (int)number_given;
}

void skin_option_verbosity(const char *name, const char *value)
{
	set_level(name, value, &__base_setup_data.verbosity_level);
	skin_options.quiet = !__base_setup_data.verbosity_level;
}

void skin_option_trace(const char *name, const char *value)
{
	set_level(name, value, &__base_setup_data.trace_level);
}

/* The printing services read these from the environment. */
void skin_option_printing(const char *name, const char *value)
{
	const char *variable = !strcmp(name, "print-buffer-size")    ? "RT_PRINT_BUFFER"
			       : !strcmp(name, "print-buffer-count") ? "RT_PRINT_BUFFERS_COUNT"
								     : "RT_PRINT_PERIOD";
	const char *text = value;
	unsigned long long given;

	if (!number(&text, INT32_MAX, &given) || !given || *text)
		skin_option_refuse(name, value, "give a number, 1 or more");
	(void)setenv(variable, value, 1);
}
