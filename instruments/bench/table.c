/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The main function of the programs with a table: for each row, a child measures it and writes its
 * part of the JSON and its line of the table. Exit status 0: all rows are complete; 1: a row
 * failed, the others are complete; 2: it could not start.
 */
#include "table.h"

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
#include "measure.h"

enum side { SIDE_BOTH, SIDE_TACTUS, SIDE_LINUX };

struct table {
	const char *only; /* the only wanted row; NULL: all */
	int side;
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

static void write_row(struct json *json, const struct bench_row *row,
		      const struct bench_result *result)
{
	json_begin(json, NULL, '{');
	json_text(json, "name", row->name);
	json_text(json, "what", row->what);
	json_text(json, "peer", *bench.peer ? bench.peer : row->peer);
	json_unsigned(json, "operations", result->operations);
	json_bool(json, "fifo", bench.fifo);
	if (result->ours)
		write_side(json, "tactus", result->own, result->rounds);
	if (result->peers)
		write_side(json, "linux", result->peer, result->rounds);
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

/* Runs in the child. The file belongs to the parent; its buffer was empty at the fork. */
static int measure_row(struct table *table, const struct bench_row *row)
{
	static struct bench_result result;
	int status;

	table->effort.rounds = table->effort.limit_ns > 0 ? 3 : row->rounds;
	status = bench_measure(row, &table->effort, &result);
	if (status != 0)
		return status;
	write_row(&table->json, row, &result);
	if (!json_has_stdout(&table->json))
		print_row(row, &result);
	if (fflush(NULL) == 0)
		return 0;
	(void)complain("the result could not be written: %s", strerror(errno));
	return 1;
}

static int run_child(struct table *table, const struct bench_row *row)
{
	int status;
	pid_t child;

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
	unsigned int complete = 0, failed = 0;
	int status = 0;

	if (!json_has_stdout(&table->json))
		printf("%-22s %35s %35s\n%-22s %11s %11s %11s %11s %11s %11s\n", "", "Tactus (ns)",
		       "Linux (ns)", "", "min", "median", "max", "min", "median", "max");
	json_begin(&table->json, NULL, '{');
	json_text(&table->json, "instrument", bench_table.instrument);
	json_signed(&table->json, "cpu", bench.cpu);
	json_begin(&table->json, "rows", '[');
	for (const struct bench_row *const *row = bench_table.rows; *row != NULL; row++) {
		if (table->only != NULL && strcmp(table->only, (*row)->name) != 0)
			continue;
		if (table->side == SIDE_LINUX && (*row)->peer_run == NULL)
			continue;
		table->json.more = complete > 0;
		status = run_child(table, *row);
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

static bool is_row(const char *name)
{
	for (const struct bench_row *const *row = bench_table.rows; *row != NULL; row++)
		if (strcmp(name, (*row)->name) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const char *const sides[] = {"both", "tactus", "linux", NULL};
	static struct table table;
	const char *json_path = NULL;
	bool list = false, die_with_parent = false;
	uint64_t loops = 0;
	int priority = BENCH_LINUX_PRIORITY, status;
	const struct argument arguments[] = {
		{"row", ARGUMENT_TEXT, &table.only, 0, 0, NULL, "only the row of this name"},
		{"rows", ARGUMENT_FLAG, &list, 0, 0, NULL, "print the names of the rows"},
		{"side", ARGUMENT_CHOICE, &table.side, 0, 0, sides, "the side to measure"},
		{"loops", ARGUMENT_COUNT, &loops, 0, 1e9, NULL,
		 "operations per round; 0: the row's own number"},
		{"seconds", ARGUMENT_SECONDS, &table.effort.limit_ns, 0, 3600e9, NULL,
		 "seconds of rounds per row; 0: the row's own time"},
		ARGUMENT_OF_CPU(&bench.cpu),
		ARGUMENT_OF_PRIORITY(&priority),
		ARGUMENT_OF_JSON(&json_path),
		ARGUMENT_OF_DYING(&die_with_parent),
		{.name = NULL},
	};

	bench.cpu = machine_highest_cpu();
	status = arguments_parse(bench_table.purpose, arguments, argc, argv);
	if (status != 0)
		return status < 0 ? 2 : 0;
	for (const struct bench_row *const *row = bench_table.rows; list && *row != NULL; row++)
		puts((*row)->name);
	if (list)
		return 0;
	if (table.only != NULL && !is_row(table.only)) {
		(void)complain("--row %s: use one that --rows prints", table.only);
		return 2;
	}
	if (die_with_parent)
		machine_die_with_parent();
	bench.priority = priority;
	table.effort.operations = loops;
	table.effort.operations_of_both = loops;
	table.effort.without_tactus = table.side == SIDE_LINUX;
	table.effort.without_peer = table.side == SIDE_TACTUS;
	if (bench_choose_cpu() < 0 || json_open(&table.json, json_path) < 0)
		return 2;
	return run_all(&table);
}
