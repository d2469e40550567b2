/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of Xenomai programs: the skin's options are taken out of it. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include <xenomai/init.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "setup.h"
#include "skin_options.h"

#define POOL_MIN_BYTES ((unsigned long long)4 << 20)
#define TICK_MAX_NS    1000000000ull

struct skin_options skin_options;

static _Noreturn void refuse(const char *name, const char *value, const char *allowed)
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

static void set_cpus(const char *name, const char *value)
{
	static const char allowed[] = "give CPU numbers, as in 1 or 0-2 or 1,3, at most 31 of them";
	const char *text = value;

	skin_options.cpus = 0;
	do {
		unsigned long long first;
		unsigned long long last;

		if (!number(&text, 4095, &first))
			refuse(name, value, allowed);
		last = first;
		if (*text == '-' && (text++, !number(&text, 4095, &last)))
			refuse(name, value, allowed);
		for (; first <= last; first++) {
			if (skin_options.cpus == TACT_CPU_MAX)
				refuse(name, value, allowed);
			skin_options.cpu[skin_options.cpus++] = (uint32_t)first;
		}
	} while (*text == ',' && text++);
	if (*text || !skin_options.cpus)
		refuse(name, value, allowed);
}

static void set_pool(const char *name, const char *value)
{
	static const char units[] = "KMG";
	const char *text = value;
	const char *unit;
	unsigned long long bytes;

	if (!number(&text, 1ull << 40, &bytes) || !bytes)
		refuse(name, value, "give a size, as in 64K, 16M or 1G");
	unit = *text ? strchr(units, *text) : NULL;
	if (unit) {
		bytes <<= 10 * (unit - units + 1);
		text++;
	}
	if (*text || bytes > 1ull << 40)
		refuse(name, value, "give a size, as in 64K, 16M or 1G");
	skin_options.pool_bytes = bytes < POOL_MIN_BYTES ? POOL_MIN_BYTES : bytes;
}

static void set_tick(const char *name, const char *value)
{
	const char *text = value;
	unsigned long long ns;

	if (!number(&text, TICK_MAX_NS, &ns) || !ns || *text)
		refuse(name, value, "give a number of nanoseconds, 1 to 1000000000");
	skin_options.tick_ns = ns;
}

static void set_session(const char *name, const char *value)
{
	const char *slash = strchr(value, '/');

	if (!*value || *value == '.' || slash == value || (slash && !slash[1]))
		refuse(name, value, "give a label, with no dot at its head, or LABEL/GROUP");
	skin_options.session = value;
}

static void set_quiet(const char *name, const char *value)
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
		refuse(name, value, "give a level, 0 to 9");
	*level = (int)number_given;
}

static void set_verbosity(const char *name, const char *value)
{
	set_level(name, value, &__base_setup_data.verbosity_level);
	skin_options.quiet = !__base_setup_data.verbosity_level;
}

static void set_trace(const char *name, const char *value)
{
	set_level(name, value, &__base_setup_data.trace_level);
}

static void no_effect(const char *name, const char *value)
{
	(void)value;
	if (!skin_options.quiet)
		fprintf(stderr, "%s: --%s has no effect on Tactus\n", program_invocation_short_name,
			name);
}

static void show_version(const char *name, const char *value)
{
	(void)name;
	(void)value;
	if (application_version)
		application_version();
	puts(skin_version);
	exit(0);
}

static void show_help(const char *name, const char *value);

enum takes { NOTHING, MAYBE, VALUE };

static const struct option {
	const char *name;
	enum takes takes;
	void (*set)(const char *name, const char *value);
	const char *help;
} table[] = {
	{"cpu-affinity", VALUE, set_cpus, "Linux CPUs that become real-time CPUs: 1, 0-2, 1,3"},
	{"mem-pool-size", VALUE, set_pool, "room for objects, as in 64K, 16M; at least 4M"},
	{"alchemy-clock-resolution", VALUE, set_tick, "length of a tick in ns"},
	{"session", VALUE, set_session, "LABEL[/GROUP]: whose programs share objects"},
	{"quiet", NOTHING, set_quiet, "do not tell what the machine could not give"},
	{"silent", NOTHING, set_quiet, "the same"},
	{"version", NOTHING, show_version, "tell the version"},
	{"help", NOTHING, show_help, "tell the options"},
	{"no-sanity", NOTHING, no_effect, NULL},
	{"no-mlock", NOTHING, no_effect, NULL},
	{"no-registry", NOTHING, no_effect, NULL},
	{"shared-registry", NOTHING, no_effect, NULL},
	{"registry-root", VALUE, no_effect, NULL},
	{"verbose", MAYBE, set_verbosity, "how much to tell: 0 to 9; 1 if it is not said"},
	{"trace", MAYBE, set_trace, NULL},
};
#define OPTIONS (sizeof(table) / sizeof(table[0]))

void xenomai_usage(void)
{
	printf("usage: %s [OPTION …] [what the program takes]\n", program_invocation_short_name);
	for (size_t i = 0; i < OPTIONS; i++)
		if (table[i].help)
			printf("  --%s%-*s  %s\n", table[i].name, (int)(28 - strlen(table[i].name)),
			       table[i].takes == VALUE ? "=VALUE" : "", table[i].help);
	skin_setup_help();
}

static void show_help(const char *name, const char *value)
{
	(void)name;
	(void)value;
	xenomai_usage();
	exit(0);
}

/* How many words of the command line the option at words is; 0: it is not the skin's. */
static int take(char *const *words)
{
	const char *value;
	size_t length;

	if (strncmp(words[0], "--", 2) != 0)
		return 0;
	value = strchr(words[0], '=');
	length = value ? (size_t)(value - words[0]) - 2 : strlen(words[0]) - 2;
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option *option = &table[i];
		int used = 1;

		if (strlen(option->name) != length || strncmp(words[0] + 2, option->name, length))
			continue;
		if (option->takes == NOTHING && value)
			refuse(option->name, value + 1, "it takes no value");
		if (option->takes == VALUE && !value) {
			if (!words[1])
				refuse(option->name, "", "it takes a value");
			used = 2;
		}
		option->set(option->name, used == 2 ? words[1] : value ? value + 1 : "");
		return used;
	}
	return skin_setup_take(words);
}

/* What a program set itself is as if its command line began with it. */
static void take_tunables(void)
{
	const cpu_set_t *cpus = &__base_setup_data.cpu_affinity;

	skin_setup_tune();
	skin_options.quiet = !__base_setup_data.verbosity_level;
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE && skin_options.cpus < TACT_CPU_MAX; cpu++)
		if (CPU_ISSET(cpu, cpus))
			skin_options.cpu[skin_options.cpus++] = cpu;
}

void xenomai_init(int *argcp, char *const **argvp)
{
	char *const *words = *argvp;
	char **kept = malloc(((size_t)*argcp + 1) * sizeof(*kept));
	int count = 0;
	int i = 0;

	if (!kept) {
		fprintf(stderr, "%s: no memory for the command line\n",
			program_invocation_short_name);
		exit(1);
	}
	if (*argcp > 0) {
		__base_setup_data.arg0 = words[0];
		kept[count++] = words[i++];
	}
	take_tunables();
	while (i < *argcp) {
		int used;

		if (strcmp(words[i], "--") == 0)
			break;
		used = take(&words[i]);
		if (!used)
			kept[count++] = words[i++];
		i += used;
	}
	while (i < *argcp)
		kept[count++] = words[i++];
	kept[count] = NULL;
	*argcp = count;
	*argvp = kept; /* for as long as the program runs */
	skin_options_taken();
	skin_setup_begin();
}
