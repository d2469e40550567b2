/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of tactus-explore: which runs are wanted. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define PROGRAM       "tactus-explore"
#define SEEDS_DEFAULT 100
#define STATUS_USAGE  2

static const char usage[] =
	"usage: " PROGRAM " [--scenario NAME] [--seed S | --seeds N [--first S]]\n"
	"                      [--jobs N] [--until-failure] [--list]\n"
	"  --scenario NAME   only this scenario (default: all)\n"
	"  --seed S          one seed; prints the hash of each schedule\n"
	"  --seeds N         N seeds (default 100)\n"
	"  --first S         begin with seed S (default 1)\n"
	"  --jobs N          runs at once, 1 to 64 (default: allowed CPUs)\n"
	"  --known FILE      the runs listed in FILE, one a line: scenario, seed\n"
	"  --until-failure   stop at the first failing run\n"
	"  --list            print the names of the scenarios\n";

void options_refuse(const char *format, ...)
{
	va_list arguments;

	(void)fputs(PROGRAM ": ", stderr);
	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	(void)fputc('\n', stderr);
	exit(STATUS_USAGE);
}

uint64_t options_number(const char *option, const char *text, uint64_t low, uint64_t high)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (text[0] < '0' || text[0] > '9' || *end || errno || value < low || value > high)
		options_refuse("%s %s: use a whole number from %" PRIu64 " to %" PRIu64, option,
			       text, low, high);
	return value;
}

static uint32_t allowed_cpus(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return count < (int)RUN_JOBS_MAX ? (uint32_t)count : RUN_JOBS_MAX;
}

static void list(void)
{
	for (const struct explore_scenario *s = run_scenarios(); s; s = s->next)
		printf("%-20s %s\n", s->name, s->tells);
}

struct options options_parse(int argc, char **argv)
{
	enum { SCENARIO, SEED, SEEDS, FIRST, JOBS, KNOWN, UNTIL_FAILURE, LIST, HELP };
	static const struct option names[] = {
		{"scenario", required_argument, NULL, SCENARIO},
		{"seed", required_argument, NULL, SEED},
		{"seeds", required_argument, NULL, SEEDS},
		{"first", required_argument, NULL, FIRST},
		{"jobs", required_argument, NULL, JOBS},
		{"known", required_argument, NULL, KNOWN},
		{"until-failure", no_argument, NULL, UNTIL_FAILURE},
		{"list", no_argument, NULL, LIST},
		{"help", no_argument, NULL, HELP},
		{0},
	};
	struct options options = {.first = 1, .seeds = SEEDS_DEFAULT, .jobs = allowed_cpus()};
	bool many = false;
	int chosen;

	while ((chosen = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (chosen) {
		case SCENARIO:
			options.scenario = run_scenario(optarg);
			if (!options.scenario)
				options_refuse("no scenario \"%s\": choose one of --list", optarg);
			break;
		case SEED:
			options.first = options_number("--seed", optarg, 0, UINT64_MAX);
			options.single = true;
			break;
		case SEEDS:
			options.seeds = options_number("--seeds", optarg, 1, UINT32_MAX);
			many = true;
			break;
		case FIRST:
			options.first = options_number("--first", optarg, 0, UINT64_MAX);
			many = true;
			break;
		case JOBS:
			options.jobs = (uint32_t)options_number("--jobs", optarg, 1, RUN_JOBS_MAX);
			break;
		case KNOWN:
			options.known = optarg;
			break;
		case UNTIL_FAILURE:
			options.until_failure = true;
			break;
		case LIST:
			list();
			exit(0);
		case HELP:
			(void)fputs(usage, stdout);
			exit(0);
		default:
			exit(STATUS_USAGE);
		}
	}
	if (optind < argc)
		options_refuse("unexpected \"%s\": see --help", argv[optind]);
	if (options.single && many)
		options_refuse("--seed means one seed: leave --seeds and --first out");
	if (options.known && (options.single || many || options.scenario))
		options_refuse("--known chooses the runs: leave scenarios and seeds out");
	if (options.single)
		options.seeds = 1;
	/* It would win over ours without a word. */
	if (getenv("TACTUS_SIM") && strstr(getenv("TACTUS_SIM"), "seed="))
		options_refuse("TACTUS_SIM sets a seed: take it out, and use --seed");
	return options;
}
