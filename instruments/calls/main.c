/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-calls: how much more a plain thread's calls cost under `tactus run` than without it. The
 * program runs itself in both ways in turn, and compares the best of all runs, because other
 * programs of a shared machine only add time. Exit status 0: the result is complete; 1: a run
 * failed, or a call costs more than --limit; 2: it could not start.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/arguments.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/machine.h"
#include "measure.h"

#define CALLS_MAX 128u
#define MEASURE   "--measure"

enum way { PLAINLY, UNDER_RUN, WAYS };

struct calls {
	char own[PATH_MAX], run[PATH_MAX + 32];
	const char *only;
	uint64_t pairs;
	bool no_task;
	double best_ns[WAYS][CALLS_MAX]; /* below 0: it was refused */
	struct json json;
};

/* Beside this program, as in a build or an installation. */
static int find_run(struct calls *calls, const char *wanted)
{
	static const char *const places[] = {"tactus-run", "../../skins/posix/tactus-run"};
	const char *slash;

	if (readlink("/proc/self/exe", calls->own, sizeof(calls->own) - 1) < 0)
		return complain("/proc/self/exe: %s", strerror(errno));
	slash = strrchr(calls->own, '/');
	for (unsigned int i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (wanted)
			(void)snprintf(calls->run, sizeof(calls->run), "%s", wanted);
		else
			(void)snprintf(calls->run, sizeof(calls->run), "%.*s/%s",
				       (int)(slash - calls->own), calls->own, places[i]);
		if (access(calls->run, X_OK) == 0)
			return 0;
	}
	return complain("%s cannot be run: name tactus-run with --run", calls->run);
}

/* The index of a call among all calls. */
static int place_of(const char *name)
{
	int place = 0;

	for (unsigned int part = 0; part < MEASURE_PARTS; part++)
		for (const struct call *call = measure_calls[part]; call->name; call++, place++)
			if (strcmp(call->name, name) == 0)
				return place;
	return -1;
}

static int read_results(FILE *results, double best_ns[CALLS_MAX])
{
	char line[256], *name;
	int count = 0;

	while (fgets(line, sizeof(line), results) != NULL) {
		const double ns = strtod(line, &name);
		int place;

		line[strcspn(line, "\n")] = '\0';
		place = *name == ' ' ? place_of(name + 1) : -1;
		if (place < 0)
			return complain("a run printed '%s'", line);
		if (isnan(best_ns[place]) || ns < best_ns[place])
			best_ns[place] = ns;
		count++;
	}
	return count ? 0 : -1;
}

static void run_in_child(const struct calls *calls, enum way way, int output)
{
	const char *arguments[8];
	unsigned int count = 0;

	if (way == UNDER_RUN) {
		arguments[count++] = calls->run;
		arguments[count++] = "--";
	}
	arguments[count++] = calls->own;
	arguments[count++] = MEASURE;
	if (calls->no_task)
		arguments[count++] = "--no-task";
	if (calls->only) {
		arguments[count++] = "--only";
		arguments[count++] = calls->only;
	}
	arguments[count] = NULL;
	machine_die_with_parent();
	if (dup2(output, STDOUT_FILENO) >= 0)
		(void)execv(arguments[0], (char **)(uintptr_t)arguments);
	_exit(127);
}

static const char *program_of(const struct calls *calls, enum way way)
{
	return way == PLAINLY ? calls->own : calls->run;
}

static int run_once(struct calls *calls, enum way way)
{
	int ends[2], status, error;
	FILE *results;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return complain("pipe2(): %s", strerror(errno));
	(void)fflush(NULL);
	child = fork();
	if (child < 0)
		return complain("fork(): %s", strerror(errno));
	if (child == 0)
		run_in_child(calls, way, ends[1]);
	(void)close(ends[1]);
	results = fdopen(ends[0], "r");
	error = results ? read_results(results, calls->best_ns[way]) : -1;
	if (results)
		(void)fclose(results);
	if (waitpid(child, &status, 0) != child)
		return complain("waitpid(): %s", strerror(errno));
	if (WIFSIGNALED(status))
		return complain("%s was ended by signal %d", program_of(calls, way),
				WTERMSIG(status));
	if (status != 0 || error < 0)
		return complain("%s ended with status %d, and without all results",
				program_of(calls, way), WEXITSTATUS(status));
	return 0;
}

/* For one of the calls that it makes. */
static double more_ns(const struct calls *calls, const struct call *call, int place)
{
	return (calls->best_ns[UNDER_RUN][place] - calls->best_ns[PLAINLY][place]) / call->count;
}

static void write_call(struct calls *calls, const struct call *call, int place, bool table)
{
	const bool refused =
		calls->best_ns[PLAINLY][place] < 0 || calls->best_ns[UNDER_RUN][place] < 0;
	struct json *json = &calls->json;

	json_begin(json, NULL, '{');
	json_text(json, "name", call->name);
	json_unsigned(json, "calls", call->count);
	json_bool(json, "refused", refused);
	json_real(json, "plain_ns", refused ? NAN : calls->best_ns[PLAINLY][place]);
	json_real(json, "run_ns", refused ? NAN : calls->best_ns[UNDER_RUN][place]);
	json_real(json, "more_ns", refused ? NAN : more_ns(calls, call, place));
	json_end(json, '}');
	if (table && refused)
		printf("%-38s %10s\n", call->name, "refused");
	else if (table)
		printf("%-38s %10.1f %10.1f %10.1f\n", call->name, calls->best_ns[PLAINLY][place],
		       calls->best_ns[UNDER_RUN][place], more_ns(calls, call, place));
}

/* Returns how many calls cost more than the limit. */
static unsigned int report(struct calls *calls, double limit_ns)
{
	const bool table = !json_has_stdout(&calls->json);
	unsigned int above = 0;
	int place = 0;

	json_begin(&calls->json, NULL, '{');
	json_text(&calls->json, "instrument", "calls");
	json_unsigned(&calls->json, "pairs", calls->pairs);
	json_bool(&calls->json, "task", !calls->no_task);
	json_begin(&calls->json, "rows", '[');
	if (table)
		printf("%-38s %10s %10s %10s\n", "ns", "plain", "run", "more, each");
	for (unsigned int part = 0; part < MEASURE_PARTS; part++)
		for (const struct call *call = measure_calls[part]; call->name; call++, place++) {
			if (isnan(calls->best_ns[PLAINLY][place]))
				continue;
			write_call(calls, call, place, table);
			above += limit_ns > 0 && more_ns(calls, call, place) > limit_ns;
		}
	json_end(&calls->json, ']');
	json_unsigned(&calls->json, "above", above);
	json_end(&calls->json, '}');
	if (table && limit_ns > 0)
		printf("%u above %.0f ns\n", above, limit_ns);
	return above;
}

static int compare(struct calls *calls, uint64_t limit_ns)
{
	unsigned int above;

	for (unsigned int i = 0; i < CALLS_MAX; i++)
		calls->best_ns[PLAINLY][i] = calls->best_ns[UNDER_RUN][i] = NAN;
	for (uint64_t pair = 0; pair < calls->pairs; pair++)
		if (run_once(calls, PLAINLY) < 0 || run_once(calls, UNDER_RUN) < 0)
			return EXIT_FAILURE;
	above = report(calls, (double)limit_ns);
	return json_close(&calls->json) < 0 || above ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static struct calls calls = {.pairs = 5};
	const char *run = NULL, *json_path = NULL;
	bool measure = false;
	uint64_t limit_ns = 0;
	const struct argument table[] = {
		{"pairs", ARGUMENT_COUNT, &calls.pairs, 1, 1000, NULL, "number of runs, each way"},
		{"only", ARGUMENT_TEXT, &calls.only, 0, 0, NULL,
		 "only calls with TEXT in their names"},
		{"no-task", ARGUMENT_FLAG, &calls.no_task, 0, 0, NULL,
		 "measure in a program without real-time threads"},
		{"limit", ARGUMENT_TIME, &limit_ns, 0, 1e6, NULL,
		 "maximum of what a call may cost more; 0: no maximum"},
		{"run", ARGUMENT_FILE, &run, 0, 0, NULL, "the tactus-run to measure"},
		{"measure", ARGUMENT_FLAG, &measure, 0, 0, NULL,
		 "one run, in the way in which this program is run"},
		ARGUMENT_OF_JSON(&json_path),
		{.name = NULL},
	};
	const int status =
		arguments_parse("The additional cost of a plain thread's calls under `tactus run`.",
				table, argc, argv);

	if (status != 0)
		return status < 0 ? 2 : 0;
	if (measure)
		return measure_all(calls.only, !calls.no_task) < 0 ? 2 : 0;
	if (find_run(&calls, run) < 0 || json_open(&calls.json, json_path) < 0)
		return 2;
	return compare(&calls, limit_ns);
}
