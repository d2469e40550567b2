/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-explore: runs scenarios in virtual time with every scheduling point perturbed from a seed,
 * and says how many kept their promises. A failing one is printed with the command that replays it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

#define PROGRAM        "tactus-explore"
#define SEEDS_DEFAULT  100
#define FAILURES_SHOWN 20
#define STATUS_USAGE   2

struct options {
	const struct explore_scenario *scenario; /* NULL: all */
	uint64_t first, seeds;
	const char *known; /* file of runs; NULL: seeds and scenarios say which */
	bool single;       /* one seed: its hash is wanted */
	bool until_failure;
	uint32_t jobs;
};

struct tally {
	uint64_t runs, passed, hash;
	double began;
	double shown;
};

static const char usage[] =
	"usage: " PROGRAM " [--scenario NAME] [--seed S | --seeds N [--first S]] [--jobs N]\n"
	"                      [--until-failure] [--list]\n"
	"  --scenario NAME   only this one (default: all)\n"
	"  --seed S          one seed; prints the hash of each schedule\n"
	"  --seeds N         N seeds (default 100)\n"
	"  --first S         beginning with S (default 1)\n"
	"  --jobs N          runs at once, 1 to 64 (default: CPUs allowed)\n"
	"  --known FILE      the runs listed in FILE, one a line: scenario, seed\n"
	"  --until-failure   stop at the first failing run\n"
	"  --list            name the scenarios\n";

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...)
{
	va_list arguments;

	(void)fputs(PROGRAM ": ", stderr);
	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	(void)fputc('\n', stderr);
	exit(STATUS_USAGE);
}

static uint64_t number(const char *option, const char *text, uint64_t low, uint64_t high)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (text[0] < '0' || text[0] > '9' || *end || errno || value < low || value > high)
		refuse("%s %s: use a whole number from %" PRIu64 " to %" PRIu64, option, text, low,
		       high);
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

static struct options parse(int argc, char **argv)
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
				refuse("no scenario \"%s\": choose one of --list", optarg);
			break;
		case SEED:
			options.first = number("--seed", optarg, 0, UINT64_MAX);
			options.single = true;
			break;
		case SEEDS:
			options.seeds = number("--seeds", optarg, 1, UINT32_MAX);
			many = true;
			break;
		case FIRST:
			options.first = number("--first", optarg, 0, UINT64_MAX);
			many = true;
			break;
		case JOBS:
			options.jobs = (uint32_t)number("--jobs", optarg, 1, RUN_JOBS_MAX);
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
		refuse("unexpected \"%s\": see --help", argv[optind]);
	if (options.single && many)
		refuse("--seed is one seed: leave --seeds and --first out");
	if (options.known && (options.single || many || options.scenario))
		refuse("--known says which runs: leave scenarios and seeds out");
	if (options.single)
		options.seeds = 1;
	/* It would win over ours without a word. */
	if (getenv("TACTUS_SIM") && strstr(getenv("TACTUS_SIM"), "seed="))
		refuse("TACTUS_SIM sets a seed: take it out, and use --seed");
	return options;
}

static double seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void progress(struct tally *tally, uint64_t total)
{
	double now = seconds();

	if (!isatty(STDERR_FILENO) || now - tally->shown < 0.2)
		return;
	tally->shown = now;
	(void)fprintf(stderr, "\r%" PRIu64 " ", tally->runs);
	if (total)
		(void)fprintf(stderr, "of %" PRIu64 " ", total);
	(void)fprintf(stderr, "runs, %.0f s ", now - tally->began);
}

static void show_failure(const struct run_result *result)
{
	const char *name = result->run.scenario->name;

	if (isatty(STDERR_FILENO))
		(void)fputs("\r\033[K", stderr);
	printf("FAILED %s, seed %" PRIu64 ": %s\n", name, result->run.seed, result->message);
	printf("  replay: ./tactus explore --scenario %s --seed %" PRIu64 "\n", name,
	       result->run.seed);
	(void)fflush(stdout);
}

static void account(const struct options *options, struct tally *tally,
		    const struct run_result *result)
{
	uint64_t failed;

	tally->runs++;
	if (result->passed) {
		tally->passed++;
		if (options->single)
			printf("%-20s hash %016" PRIx64 "\n", result->run.scenario->name,
			       result->hash);
		/* Runs end in any order: the sum is the same in all of them. */
		tally->hash += result->hash;
		return;
	}
	failed = tally->runs - tally->passed;
	if (failed <= FAILURES_SHOWN)
		show_failure(result);
	else if (failed == FAILURES_SHOWN + 1)
		printf("further failures are counted only\n");
}

static void await_one(const struct options *options, struct tally *tally, uint64_t total)
{
	struct run_result result;

	if (!run_await(&result))
		refuse("a run got lost: %s", strerror(errno));
	account(options, tally, &result);
	progress(tally, total);
}

/* The next run of those asked for; false: there is none. */
struct source {
	const struct options *options;
	FILE *known;
	const char *path;
	uint32_t line;
	uint64_t done; /* seeds */
	const struct explore_scenario *scenario;
};

static bool next_known(struct source *source, struct run *run)
{
	char text[256], name[64], seed[32], rest;

	while (fgets(text, sizeof(text), source->known)) {
		int found;

		source->line++;
		if (text[0] == '#' || text[strspn(text, " \t\n")] == '\0')
			continue;
		found = sscanf(text, "%63s %31s %c", name, seed, &rest);
		if (found != 2)
			refuse("%s:%u: a line is a scenario and a seed", source->path,
			       source->line);
		run->scenario = run_scenario(name);
		if (!run->scenario)
			refuse("%s:%u: no scenario \"%s\": choose one of --list", source->path,
			       source->line, name);
		run->seed = number(name, seed, 0, UINT64_MAX);
		return true;
	}
	return false;
}

static bool next_run(struct source *source, struct run *run)
{
	const struct options *options = source->options;

	if (source->known)
		return next_known(source, run);
	for (;;) {
		source->scenario = source->scenario ? source->scenario->next : run_scenarios();
		if (!source->scenario && ++source->done == options->seeds)
			return false;
		if (source->scenario &&
		    (!options->scenario || source->scenario == options->scenario))
			break;
	}
	*run = (struct run){source->scenario, options->first + source->done};
	return true;
}

static void explore(const struct options *options, struct tally *tally, uint64_t total)
{
	struct source source = {.options = options, .path = options->known};
	uint32_t busy = 0;
	struct run run;

	if (options->known) {
		source.known = fopen(options->known, "re");
		if (!source.known)
			refuse("cannot read %s: %s", options->known, strerror(errno));
	}
	while (next_run(&source, &run)) {
		/* One seed is printed in the order of --list. */
		while (busy == (options->single ? 1 : options->jobs)) {
			await_one(options, tally, total);
			busy--;
		}
		if (options->until_failure && tally->runs != tally->passed)
			break;
		if (run_start(&run))
			refuse("cannot start a run: %s", strerror(errno));
		busy++;
	}
	for (; busy; busy--)
		await_one(options, tally, total);
	if (source.known)
		(void)fclose(source.known);
}

static void summarise(const struct options *options, const struct tally *tally, uint32_t scenarios)
{
	if (isatty(STDERR_FILENO))
		(void)fputs("\r\033[K", stderr);
	if (options->single && tally->passed == tally->runs)
		printf("hash: %016" PRIx64 "\n", tally->hash);
	printf("passed %" PRIu64 " of %" PRIu64 " runs", tally->passed, tally->runs);
	if (options->known)
		printf(" of %s", options->known);
	else
		printf(" (%u scenario%s, seeds %" PRIu64 " to %" PRIu64 ")", scenarios,
		       scenarios == 1 ? "" : "s", options->first,
		       options->first + options->seeds - 1);
	printf(" in %.1f s\n", seconds() - tally->began);
}

int main(int argc, char **argv)
{
	struct options options = parse(argc, argv);
	struct tally tally = {.began = seconds()};
	uint32_t scenarios = 0;

	for (const struct explore_scenario *s = run_scenarios(); s; s = s->next)
		scenarios += !options.scenario || s == options.scenario;
	if (run_open(options.jobs))
		refuse("no memory for %u runs at once: %s", options.jobs, strerror(errno));
	explore(&options, &tally, options.known ? 0 : options.seeds * scenarios);
	summarise(&options, &tally, scenarios);
	/* Nothing explored is nothing shown. */
	return tally.runs && tally.passed == tally.runs ? 0 : 1;
}
