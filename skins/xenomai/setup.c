/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of a program, whose functions xenomai_init() calls, and the tunables that they may set. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "setup.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xenomai/tunables.h>

#include "skin_options.h"

struct base_setup_data __base_setup_data = {.verbosity_level = 1};
int __config_done;

static DEFINE_PRIVATE_LIST(descriptors);

void __register_setup_call(struct setup_descriptor *descriptor, int id)
{
	(void)id;
	pvlist_append(&descriptor->__reserved.next, &descriptors);
}

static _Noreturn void give_up(const struct setup_descriptor *part, const char *what, int error)
{
	fprintf(stderr, "%s: %s of %s failed: %s\n", program_invocation_short_name, what,
		part->name ? part->name : "the program", strerror(error < 0 ? -error : error));
	exit(1);
}

void skin_setup_tune(void)
{
	struct setup_descriptor *part;
	int error;

	pvlist_for_each_entry(part, &descriptors,
			      __reserved.next) if (part->tune && (error = part->tune()))
		give_up(part, "tuning", error);
}

void skin_setup_help(void)
{
	const struct setup_descriptor *part;

	pvlist_for_each_entry(part, &descriptors, __reserved.next) if (part->help) part->help();
	if (application_usage)
		application_usage();
}

/* The entry of the option whose name is the `length` bytes at name, or NULL. */
static const struct option *find(const struct setup_descriptor *part, const char *name,
				 size_t length)
{
	const struct option *option = part->options;

	while (option && option->name &&
	       (strlen(option->name) != length || strncmp(option->name, name, length) != 0))
		option++;
	return option && option->name ? option : NULL;
}

static int take_with(struct setup_descriptor *part, const struct option *option, const char *value,
		     const char *next)
{
	int used = 1;
	int error = 0;

	if (value && option->has_arg == no_argument) {
		fprintf(stderr, "%s: --%s takes no value\n", program_invocation_short_name,
			option->name);
		exit(1);
	}
	if (!value && option->has_arg == required_argument) {
		if (!next) {
			fprintf(stderr, "%s: --%s needs a value: write --%s=VALUE\n",
				program_invocation_short_name, option->name, option->name);
			exit(1);
		}
		value = next;
		used = 2;
	}
	if (option->flag)
		*option->flag = option->val;
	if (part->parse_option)
		error = part->parse_option((int)(option - part->options), value);
	/* The part has printed the reason. */
	if (error)
		exit(1);
	return used;
}

int skin_setup_take(char *const *words)
{
	const char *value = strchr(words[0], '=');
	size_t length = value ? (size_t)(value - words[0]) - 2 : strlen(words[0]) - 2;
	struct setup_descriptor *part;

	pvlist_for_each_entry(part, &descriptors, __reserved.next)
	{
		const struct option *option = find(part, words[0] + 2, length);

		if (option)
			return take_with(part, option, value ? value + 1 : NULL, words[1]);
	}
	return 0;
}

void skin_setup_begin(void)
{
	struct setup_descriptor *part;
	int error;

	__config_done = 1;
	pvlist_for_each_entry(part, &descriptors, __reserved.next)
	{
		if (part->__reserved.done)
			continue;
		part->__reserved.done = 1;
		if (part->init && (error = part->init()))
			give_up(part, "the start", error);
	}
}

/* The minimum is the default (<tactus/start.h>). */
#define POOL_MIN_BYTES ((size_t)4 << 20)

void skin_options_set_pool(size_t bytes)
{
	skin_options.pool_bytes = bytes < POOL_MIN_BYTES ? POOL_MIN_BYTES : bytes;
}

define_config_tunable(mem_pool_size, size_t, bytes)
{
	skin_options_set_pool(bytes);
}

read_config_tunable(mem_pool_size, size_t)
{
	return skin_options.pool_bytes ? skin_options.pool_bytes : POOL_MIN_BYTES;
}

/* The tunables of printing are set in the environment, from which the printing services read
 * them. */
static void set_number(const char *name, int value)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", value);
	(void)setenv(name, digits, 1);
}

static int get_number(const char *name)
{
	const char *digits = getenv(name);

	return digits ? atoi(digits) : 0;
}

define_config_tunable(print_buffer_size, int, bytes)
{
	set_number("RT_PRINT_BUFFER", bytes);
}

read_config_tunable(print_buffer_size, int)
{
	return get_number("RT_PRINT_BUFFER");
}

define_config_tunable(print_buffer_count, int, count)
{
	set_number("RT_PRINT_BUFFERS_COUNT", count);
}

read_config_tunable(print_buffer_count, int)
{
	return get_number("RT_PRINT_BUFFERS_COUNT");
}

define_config_tunable(print_sync_delay, int, ms)
{
	set_number("RT_PRINT_PERIOD", ms);
}

read_config_tunable(print_sync_delay, int)
{
	return get_number("RT_PRINT_PERIOD");
}
