/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of Xenomai programs: the skin's options are taken out of it. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include <xenomai/init.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xeno_config.h>

#include "option_values.h"
#include "setup.h"
#include "skin_options.h"

struct skin_options skin_options;

static void no_effect(const char *name, const char *value)
{
	(void)value;
	if (!skin_options.quiet)
		fprintf(stderr, "%s: --%s has no effect on Tactus\n", program_invocation_short_name,
			name);
}

static void keep_sanity(const char *name, const char *value)
{
	__base_setup_data.no_sanity = !strncmp(name, "no-", 3);
	no_effect(name, value);
}

static void keep_mlock(const char *name, const char *value)
{
	__base_setup_data.no_mlock = 1;
	no_effect(name, value);
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

static void show_configuration(const char *name, const char *value)
{
	(void)name;
	(void)value;
	if (application_version)
		application_version();
	printf("%s\nCONFIG_XENO_VERSION=\"%s\"\nCONFIG_XENO_PREFIX=\"%s\"\n"
	       "CONFIG_XENO_DEFAULT_PERIOD=%d\n",
	       skin_version, CONFIG_XENO_VERSION_STRING, CONFIG_XENO_PREFIX,
	       CONFIG_XENO_DEFAULT_PERIOD);
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
	{"cpu-affinity", VALUE, skin_option_cpus, "real-time CPUs: 1, 0-2, 1,3"},
	{"mem-pool-size", VALUE, skin_option_pool, "room for objects, as in 16M; at least 4M"},
	{"alchemy-clock-resolution", VALUE, skin_option_tick, "length of a tick in ns"},
	{"session", VALUE, skin_option_session, "LABEL[/GROUP]: its programs share objects"},
	{"quiet", NOTHING, skin_option_quiet, "do not say what the machine does not provide"},
	{"silent", NOTHING, skin_option_quiet, "the same"},
	{"version", NOTHING, show_version, "print the version"},
	{"help", NOTHING, show_help, "print the options"},
	{"dump-config", NOTHING, show_configuration, "print the configuration of the build"},
	{"print-buffer-size", VALUE, skin_option_printing, "bytes of a buffer of rt_printf()"},
	{"print-buffer-count", VALUE, skin_option_printing, "number of these buffers"},
	{"print-sync-delay", VALUE, skin_option_printing, "ms between two reads of them"},
	{"main-prio", VALUE, no_effect, NULL},
	{"sanity", NOTHING, keep_sanity, NULL},
	{"no-sanity", NOTHING, keep_sanity, NULL},
	{"no-mlock", NOTHING, keep_mlock, NULL},
	{"no-registry", NOTHING, no_effect, NULL},
	{"shared-registry", NOTHING, no_effect, NULL},
	{"registry-root", VALUE, no_effect, NULL},
	{"verbose", MAYBE, skin_option_verbosity, "level of messages, 0 to 9; 1 without =VALUE"},
	{"trace", MAYBE, skin_option_trace, NULL},
};
#define OPTIONS (sizeof(table) / sizeof(table[0]))

void xenomai_usage(void)
{
	static const char *const values[] = {
		[NOTHING] = "", [MAYBE] = "[=VALUE]", [VALUE] = "=VALUE"};

	printf("usage: %s [OPTION …] [options of the program]\n", program_invocation_short_name);
	for (size_t i = 0; i < OPTIONS; i++)
		if (table[i].help)
			printf("  --%s%-*s  %s\n", table[i].name, (int)(30 - strlen(table[i].name)),
			       values[table[i].takes], table[i].help);
	skin_setup_help();
}

static void show_help(const char *name, const char *value)
{
	(void)name;
	(void)value;
	xenomai_usage();
	exit(0);
}

/* How many words of the command line the option at words takes; 0: it is not an option of the
 * skin. */
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
			skin_option_refuse(option->name, value + 1, "it takes no value");
		if (option->takes == VALUE && !value) {
			if (!words[1])
				skin_option_refuse(option->name, "", "it takes a value");
			used = 2;
		}
		option->set(option->name, used == 2 ? words[1] : value ? value + 1 : "");
		return used;
	}
	return skin_setup_take(words);
}

/* What a program has set itself counts as if it were at the beginning of its command line. */
static void take_tunables(void)
{
	const cpu_set_t *cpus = &__base_setup_data.cpu_affinity;

	skin_setup_tune();
	skin_options.quiet = !__base_setup_data.verbosity_level;
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE && skin_options.cpus < TACT_CPU_MAX; cpu++)
		if (CPU_ISSET(cpu, cpus))
			skin_options.cpu[skin_options.cpus++] = cpu;
}

/* In a program of two skins either may start the real-time half. The POSIX skin gets the options by
 * this. */
static void tell_posix_skin(void)
{
	char list[TACT_CPU_MAX * 5 + 1] = "";
	int length = 0;

	for (uint32_t i = 0; i < skin_options.cpus; i++)
		length += snprintf(list + length, sizeof(list) - (size_t)length, "%s%u",
				   i ? "," : "", skin_options.cpu[i]);
	if (length)
		(void)setenv("TACTUS_RUN_CPUS", list, 1);
	if (skin_options.session)
		(void)setenv("TACTUS_SESSION", skin_options.session, 1);
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
	*argvp = kept; /* kept as long as the program runs */
	tell_posix_skin();
	skin_options_taken();
	skin_setup_begin();
}
