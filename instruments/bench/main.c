/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-bench: measures the rows of a group. For each of several rows, a child measures it and
 * writes its part of the JSON and its line of the table. Exit status 0: all rows are complete; 1: a
 * row failed, the others are complete; 2: it could not start.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/arguments.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/machine.h"
#include "groups.h"
#include "measure.h"
#include "with.h"

/* The second is that of what is measured, the third that of its counterpart. */
enum side { SIDE_BOTH, SIDE_TACTUS, SIDE_LINUX };

/* Number of rounds that shorten no side's quickest one, see measure.h. */
enum { SETTLED = 5, SETTLED_QUICK = 2 };

#define GROUPS_MAX 8
#define PRIORITY   50

struct table {
	const struct bench_group *group;
	const struct bench_row *only; /* the only wanted row; NULL: all */
	int side;
	unsigned int rounds; /* per row; 0: the row's own number */
	struct json json;
	struct bench_effort effort;
};

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(const double *rounds, unsigned int count)
{
	double sorted[BENCH_ROUNDS_MAX];

	memcpy(sorted, rounds, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare);
	return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static double extreme(const double *rounds, unsigned int count, bool largest)
{
	double found = rounds[0];

	for (unsigned int i = 1; i < count; i++)
		if ((rounds[i] > found) == largest)
			found = rounds[i];
	return found;
}

static void write_side(struct json *json, const char *key, const double *rounds, unsigned int count)
{
	json_begin(json, key, '{');
	json_real(json, "min_ns", extreme(rounds, count, false));
	json_real(json, "median_ns", median(rounds, count));
	json_real(json, "max_ns", extreme(rounds, count, true));
	json_begin(json, "rounds_ns", '[');
	for (unsigned int i = 0; i < count; i++)
		json_real(json, NULL, rounds[i]);
	json_end(json, ']');
	json_end(json, '}');
}

static void write_row(struct table *table, const struct bench_row *row,
		      const struct bench_result *result)
{
	struct json *const json = &table->json;
	const char *const *sides = table->group->sides;

	json_begin(json, NULL, '{');
	json_text(json, "name", row->name);
	json_text(json, "what", row->what);
	json_text(json, "peer", *bench.peer ? bench.peer : row->peer);
	json_unsigned(json, "operations", result->operations);
	json_bool(json, "fifo", bench.fifo);
	if (result->ours)
		write_side(json, sides[0], result->own, result->rounds);
	if (result->peers)
		write_side(json, sides[1], result->peer, result->rounds);
	json_begin(json, "figures", '{');
	for (unsigned int i = 0; i < bench.figures; i++)
		json_real(json, bench.figure[i].name, bench.figure[i].value);
	json_end(json, '}');
	json_begin(json, "notices", '[');
	for (unsigned int i = 0; i < bench.notices; i++)
		json_text(json, NULL, bench.notice[i]);
	json_end(json, ']');
	json_end(json, '}');
}

static void print_side(const double *rounds, unsigned int count, bool measured)
{
	if (measured)
		printf(" %11.0f %11.0f %11.0f", extreme(rounds, count, false),
		       median(rounds, count), extreme(rounds, count, true));
	else
		printf(" %11s %11s %11s", "-", "-", "-");
}

static void print_row(const struct bench_row *row, const struct bench_result *result)
{
	printf("%-22s", row->name);
	print_side(result->own, result->rounds, result->ours);
	print_side(result->peer, result->rounds, result->peers);
	putchar('\n');
	for (unsigned int i = 0; i < bench.notices; i++)
		printf("  notice: %s\n", bench.notice[i]);
}

static int measure_row(struct table *table, const struct bench_row *row)
{
	static struct bench_result result;
	int status;

	table->effort.rounds = table->rounds > 0            ? table->rounds
			       : table->effort.limit_ns > 0 ? 3
							    : row->rounds;
	status = bench_measure(row, &table->effort, &result);
	if (status != 0)
		return status;
	write_row(table, row, &result);
	if (!json_has_stdout(&table->json))
		print_row(row, &result);
	if (fflush(NULL) == 0)
		return 0;
	(void)complain("the result could not be written: %s", strerror(errno));
	return 1;
}

/* The file belongs to the parent; its buffer is empty at the fork. A single row is measured without
 * a child, so that a profiler of this process sees it. */
static int run_row(struct table *table, const struct bench_row *row)
{
	int status;
	pid_t child;

	if (table->only != NULL)
		return measure_row(table, row);
	fflush(NULL);
	child = fork();
	if (child == 0)
		exit(measure_row(table, row));
	if (child < 0 || waitpid(child, &status, 0) != child) {
		(void)complain("%s: no process for the measurement: %s", row->name,
			       strerror(errno));
		return 2;
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	(void)complain("%s: ended by signal %d", row->name, WTERMSIG(status));
	return 1;
}

/* A failed row has written nothing, which decides about the comma before the next row. */
static int run_all(struct table *table)
{
	const char *const *sides = table->group->sides;
	unsigned int complete = 0, failed = 0;
	int status = 0;

	if (!json_has_stdout(&table->json))
		printf("%-22s %30s (ns) %30s (ns)\n%-22s %11s %11s %11s %11s %11s %11s\n", "",
		       sides[0], sides[1], "", "min", "median", "max", "min", "median", "max");
	json_begin(&table->json, NULL, '{');
	json_text(&table->json, "instrument", "bench");
	json_text(&table->json, "group", table->group->name);
	json_signed(&table->json, "cpu", bench.cpu);
	json_begin(&table->json, "rows", '[');
	for (const struct bench_row *const *row = table->group->rows; *row != NULL; row++) {
		if (table->only != NULL && table->only != *row)
			continue;
		if (table->side == SIDE_LINUX && (*row)->peer_run == NULL)
			continue;
		table->json.more = complete > 0;
		status = run_row(table, *row);
		if (status == 0)
			complete++;
		else
			failed++;
	}
	table->json.more = true;
	json_end(&table->json, ']');
	json_unsigned(&table->json, "failed", failed);
	json_end(&table->json, '}');
	if (json_close(&table->json) < 0)
		return 1;
	if (complete == 0 && failed > 0)
		return status;
	return failed > 0;
}

static const struct bench_row *find_row(const struct bench_group *group, const char *name)
{
	for (const struct bench_row *const *row = group->rows; *row != NULL; row++)
		if (strcmp(name, (*row)->name) == 0)
			return *row;
	(void)complain("--row %s: use one that --group %s --rows prints", name, group->name);
	return NULL;
}

/* The effort per row, from the options. 0, or -1 after one line on stderr. */
static int choose_effort(struct table *table, uint64_t rounds, bool quick)
{
	if (quick && (rounds > 0 || table->effort.limit_ns > 0))
		return complain("--quick chooses the number of rounds: leave it or --%s out",
				rounds > 0 ? "rounds" : "seconds");
	table->rounds = (unsigned int)rounds;
	if (quick)
		table->effort.settled = SETTLED_QUICK;
	else if (table->group->settles && rounds == 0 && table->effort.limit_ns == 0)
		table->effort.settled = SETTLED;
	table->effort.without_tactus = table->side == SIDE_LINUX;
	table->effort.without_peer = table->side == SIDE_TACTUS;
	return 0;
}

int main(int argc, char **argv)
{
	static const char *sides[] = {"both", NULL, NULL, NULL};
	static const char *groups[GROUPS_MAX];
	static struct table table;
	const char *json_path = NULL, *only = NULL, *owner = NULL;
	bool list = false, quick = false, die_with_parent = false;
	uint64_t rounds = 0;
	int group = 0, status;
	const struct argument arguments[] = {
		{"group", ARGUMENT_CHOICE, &group, 0, 0, groups, "the group of rows"},
		{"row", ARGUMENT_TEXT, &only, 0, 0, NULL, "only the row of this name"},
		{"rows", ARGUMENT_FLAG, &list, 0, 0, NULL, "print the names of the rows"},
		{"side", ARGUMENT_CHOICE, &table.side, 0, 0, sides, "the side to measure"},
		{"loops", ARGUMENT_COUNT, &table.effort.operations, 0, 1e9, NULL,
		 "operations per round; 0: the row's own number"},
		{"rounds", ARGUMENT_COUNT, &rounds, 0, BENCH_ROUNDS_MAX, NULL,
		 "rounds per row; 0: the row's own number"},
		{"seconds", ARGUMENT_SECONDS, &table.effort.limit_ns, 0, 3600e9, NULL,
		 "seconds of rounds per row; 0: the row's own time"},
		{"quick", ARGUMENT_FLAG, &quick, 0, 0, NULL,
		 "end a row after two rounds that are no quicker"},
		ARGUMENT_OF_CPU(&bench.cpu),
		ARGUMENT_OF_PRIORITY(&bench.priority),
		ARGUMENT_OF_JSON(&json_path),
		ARGUMENT_OF_DYING(&die_with_parent),
		{"owner", ARGUMENT_TEXT, &owner, 0, 0, NULL,
		 "be the other process of a row, in this session"},
		{.name = NULL},
	};

	for (int i = 0; bench_groups[i].name != NULL; i++)
		groups[i] = bench_groups[i].name;
	/* Those of all groups of a program are the same. */
	sides[1] = bench_groups[0].sides[0];
	sides[2] = bench_groups[0].sides[1];
	bench.cpu = machine_highest_cpu();
	bench.priority = PRIORITY;
	status = arguments_parse(
		"Times of single operations of Tactus, beside their Linux counterparts.", arguments,
		argc, argv);
	if (status != 0)
		return status < 0 ? 2 : 0;
	table.group = &bench_groups[group];
	for (const struct bench_row *const *row = table.group->rows; list && *row != NULL; row++)
		puts((*row)->name);
	if (list)
		return 0;
	if (only != NULL && (table.only = find_row(table.group, only)) == NULL)
		return 2;
	if (choose_effort(&table, rounds, quick) < 0)
		return 2;
	if (die_with_parent)
		machine_die_with_parent();
	if (bench_choose_cpu() < 0)
		return 2;
	if (owner != NULL)
		return bench_remote_owner(owner);
	return json_open(&table.json, json_path) < 0 ? 2 : run_all(&table);
}
