/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-explore: runs scenarios in virtual time with every scheduling point perturbed from a seed,
 * and says how many kept their promises. A failing one is printed with the command that replays it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "run.h"

#define FAILURES_SHOWN 20

struct tally {
	uint64_t runs, passed, hash;
	double began;
	double shown;
};

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
		options_refuse("a run got lost: %s", strerror(errno));
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
			options_refuse("%s:%u: a line must be a scenario and a seed", source->path,
				       source->line);
		run->scenario = run_scenario(name);
		if (!run->scenario)
			options_refuse("%s:%u: no scenario \"%s\": choose one of --list",
				       source->path, source->line, name);
		run->seed = options_number(name, seed, 0, UINT64_MAX);
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
			options_refuse("cannot read %s: %s", options->known, strerror(errno));
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
			options_refuse("cannot start a run: %s", strerror(errno));
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
	struct options options = options_parse(argc, argv);
	struct tally tally = {.began = seconds()};
	uint32_t scenarios = 0;

	for (const struct explore_scenario *s = run_scenarios(); s; s = s->next)
		scenarios += !options.scenario || s == options.scenario;
	if (run_open(options.jobs))
		options_refuse("no memory for %u runs at once: %s", options.jobs, strerror(errno));
	explore(&options, &tally, options.known ? 0 : options.seeds * scenarios);
	summarise(&options, &tally, scenarios);
	/* Nothing explored is nothing shown. */
	return tally.runs && tally.passed == tally.runs ? 0 : 1;
}
