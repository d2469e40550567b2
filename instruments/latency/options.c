/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of tactus-latency. A value is accepted only if its whole text is a number within
 * the stated range; options_check.c refuses combinations that cannot be measured honestly. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arguments.h"
#include "common/machine.h"

static const char *const back_end_names[] = {"linux", "linux-spin", "thread", "sim", "bare", NULL};
static const char *const context_names[] = {"handler", "light", "task", NULL};
static const char *const idle_names[] = {"sleep", "hybrid", "spin", NULL};
static const char *const phases_names[] = {"together", "spread", NULL};

static const char help[] =
	"usage: tactus-latency [options]\n"
	"Measure one configuration once: how late periodic tasks start on one CPU.\n"
	"  --core NAME       linux, linux-spin, thread, sim or bare (default linux)\n"
	"  --context NAME    handler, light or task (default task)\n"
	"  --tasks N         1 to 64 tasks of the declared task set (default 1)\n"
	"  --phases NAME     together or spread: releases of several tasks\n"
	"                    (default together)\n"
	"  --period-us P     10 to 1000000, of the fastest task (default 1000)\n"
	"  --cpu N           the CPU under test (default: the highest allowed)\n"
	"  --cpus N          1 to 8 CPUs, from that one on, each with its own tasks,\n"
	"                    which are released in turn: Tactus cores (default 1)\n"
	"  --period TIME     the same with a unit, as in the other instruments:\n"
	"                    250us, 1ms\n"
	"  --duration S      0.1 to 86400 seconds of releases (default 2); also --seconds\n"
	"  --idle NAME       sleep, hybrid or spin, of the Tactus cores (default hybrid)\n"
	"  --lead-us L       wake L before the release, then spin: linux-spin\n"
	"                    (default 50), and Tactus with hybrid (default: gravity)\n"
	"  --turns-us T      in an emulator: avoid its turns (docs/spec/lab-guests.md)\n"
	"  --priority P      SCHED_FIFO priority of the fastest task (default 80)\n"
	"  --busy            Tactus cores: another task, of the lowest priority,\n"
	"                    computes all the time\n"
	"  --gravity         print the gravity of the core on the CPU, as JSON, and\n"
	"                    measure nothing\n"
	"  --samples FILE    write each sample to FILE (docs/spec/samples.md)\n"
	"  --json            print the result as JSON\n"
	"  --die-with-parent end at once when the parent process ends\n"
	"  --cores           print the cores and contexts of this build\n";

enum option_key {
	KEY_BACK_END = 256,
	KEY_CONTEXT,
	KEY_TASKS,
	KEY_PHASES,
	KEY_PERIOD,
	KEY_PERIOD_TIME,
	KEY_CPU,
	KEY_CPUS,
	KEY_DURATION,
	KEY_IDLE,
	KEY_LEAD,
	KEY_TURNS,
	KEY_PRIORITY,
	KEY_BUSY,
	KEY_GRAVITY,
	KEY_SAMPLES,
	KEY_JSON,
	KEY_DIE_WITH_PARENT,
	KEY_BACK_ENDS,
	KEY_HELP,
};

static const struct option long_options[] = {
	{"core", required_argument, NULL, KEY_BACK_END},
	{"context", required_argument, NULL, KEY_CONTEXT},
	{"tasks", required_argument, NULL, KEY_TASKS},
	{"phases", required_argument, NULL, KEY_PHASES},
	{"period-us", required_argument, NULL, KEY_PERIOD},
	{"period", required_argument, NULL, KEY_PERIOD_TIME},
	{"cpu", required_argument, NULL, KEY_CPU},
	{"cpus", required_argument, NULL, KEY_CPUS},
	{"duration", required_argument, NULL, KEY_DURATION},
	{"seconds", required_argument, NULL, KEY_DURATION},
	{"idle", required_argument, NULL, KEY_IDLE},
	{"lead-us", required_argument, NULL, KEY_LEAD},
	{"turns-us", required_argument, NULL, KEY_TURNS},
	{"priority", required_argument, NULL, KEY_PRIORITY},
	{"busy", no_argument, NULL, KEY_BUSY},
	{"gravity", no_argument, NULL, KEY_GRAVITY},
	{"samples", required_argument, NULL, KEY_SAMPLES},
	{"json", no_argument, NULL, KEY_JSON},
	{"die-with-parent", no_argument, NULL, KEY_DIE_WITH_PARENT},
	{"cores", no_argument, NULL, KEY_BACK_ENDS},
	{"help", no_argument, NULL, KEY_HELP},
	{NULL, 0, NULL, 0},
};

const char *options_back_end_name(enum latency_back_end back_end)
{
	return back_end_names[back_end];
}

const char *options_context_name(enum latency_context context)
{
	return context_names[context];
}

const char *options_idle_name(enum latency_idle idle)
{
	return idle_names[idle];
}

const char *options_phases_name(enum latency_phases phases)
{
	return phases_names[phases];
}

static int parse_name(const char *option, const char *text, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++) {
		if (strcmp(text, names[i]) == 0)
			return i;
	}
	fprintf(stderr, "tactus-latency: --%s %s: use one of", option, text);
	for (int i = 0; names[i] != NULL; i++)
		fprintf(stderr, " %s", names[i]);
	fputc('\n', stderr);
	return -1;
}

static int parse_number(const char *option, const char *text, double low, double high,
			double *value)
{
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	/* In this form, NaN, which compares false, is also refused. */
	if (end != text && *end == '\0' && errno == 0 && *value >= low && *value <= high)
		return 0;
	fprintf(stderr, "tactus-latency: --%s %s: use a number from %g to %g\n", option, text, low,
		high);
	return -1;
}

static int parse_integer(const char *option, const char *text, int low, int high, int *value)
{
	double number;

	if (parse_number(option, text, low, high, &number) < 0)
		return -1;
	*value = (int)number;
	if (*value == number)
		return 0;
	fprintf(stderr, "tactus-latency: --%s %s: use a whole number\n", option, text);
	return -1;
}

static int parse_time(const char *option, const char *text, double low, double high, double unit_ns,
		      uint64_t *value_ns)
{
	double number;

	if (parse_number(option, text, low, high, &number) < 0)
		return -1;
	*value_ns = (uint64_t)(number * unit_ns + 0.5);
	return 0;
}

static int parse_period(const char *text, uint64_t *period_ns)
{
	const double ns = arguments_time_ns(text);

	if (!(ns >= 1e4 && ns <= 1e9)) {
		fprintf(stderr,
			"tactus-latency: --period %s: use a time with its unit, 10us to 1s\n",
			text);
		return -1;
	}
	*period_ns = (uint64_t)(ns + 0.5);
	return 0;
}

static int parse_one(struct latency_options *o, int key, const char *text)
{
	int value;

	switch (key) {
	case KEY_BACK_END:
		value = parse_name("core", text, back_end_names);
		o->back_end = (enum latency_back_end)value;
		return value;
	case KEY_CONTEXT:
		value = parse_name("context", text, context_names);
		o->context = (enum latency_context)value;
		return value;
	case KEY_PHASES:
		value = parse_name("phases", text, phases_names);
		o->phases = (enum latency_phases)value;
		return value;
	case KEY_IDLE:
		value = parse_name("idle", text, idle_names);
		o->idle = (enum latency_idle)value;
		return value;
	case KEY_TASKS:
		if (parse_integer("tasks", text, 1, LATENCY_TASKS_MAX, &value) < 0)
			return -1;
		o->tasks = (unsigned int)value;
		return 0;
	case KEY_CPU:
		return parse_integer("cpu", text, 0, MACHINE_CPUS_MAX - 1, &o->cpu);
	case KEY_CPUS:
		if (parse_integer("cpus", text, 1, LATENCY_CPUS_MAX, &value) < 0)
			return -1;
		o->cpus = (unsigned int)value;
		return 0;
	case KEY_PRIORITY:
		return parse_integer("priority", text, 1, 99, &o->priority);
	case KEY_PERIOD:
		return parse_time("period-us", text, 10, 1e6, 1e3, &o->period_ns);
	case KEY_PERIOD_TIME:
		return parse_period(text, &o->period_ns);
	case KEY_DURATION:
		return parse_time("duration", text, 0.1, 86400, 1e9, &o->duration_ns);
	case KEY_LEAD:
		o->lead_given = true;
		return parse_time("lead-us", text, 0, 5e5, 1e3, &o->lead_ns);
	case KEY_TURNS:
		return parse_time("turns-us", text, 1, 1e6, 1e3, &o->turns_ns);
	case KEY_BUSY:
		o->busy = true;
		return 0;
	case KEY_GRAVITY:
		o->gravity = true;
		return 0;
	case KEY_SAMPLES:
		o->samples_path = text;
		return 0;
	case KEY_DIE_WITH_PARENT:
		o->die_with_parent = true;
		return 0;
	default:
		o->json = true;
		return 0;
	}
}

static void print_back_ends(void)
{
	for (int back_end = 0; back_end_names[back_end] != NULL; back_end++) {
		for (int context = 0; context_names[context] != NULL; context++) {
			if (run_built((enum latency_back_end)back_end,
				      (enum latency_context)context))
				printf("%s %s\n", back_end_names[back_end], context_names[context]);
		}
	}
}

int options_parse(struct latency_options *options, int argc, char **argv)
{
	int key;

	*options = (struct latency_options){
		.back_end = LATENCY_BACK_END_LINUX,
		.context = LATENCY_CONTEXT_TASK,
		.idle = LATENCY_IDLE_HYBRID,
		.phases = LATENCY_PHASES_TOGETHER,
		.tasks = 1,
		.cpu = -1,
		.cpus = 1,
		.priority = 80,
		.period_ns = 1000000,
		.duration_ns = 2000000000,
		.lead_ns = 50000,
	};
	opterr = 0;
	while ((key = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		if (key == KEY_HELP) {
			fputs(help, stdout);
			return 1;
		}
		if (key == KEY_BACK_ENDS) {
			print_back_ends();
			return 1;
		}
		if (key == '?' || key == ':')
			return arguments_complain(key, argv);
		if (parse_one(options, key, optarg) < 0)
			return -1;
	}
	if (optind < argc) {
		fprintf(stderr, "tactus-latency: %s: no such argument; see --help\n", argv[optind]);
		return -1;
	}
	if (options->cpu < 0)
		options->cpu = machine_highest_cpu() + 1 - (int)options->cpus;
	return options_check(options);
}
