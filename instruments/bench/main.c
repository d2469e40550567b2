/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tactus-bench: measures one row and prints it as JSON, with every round of both sides. Exit status
 * 0: the result is complete; 1: the measurement failed; 2: it could not start. */
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "with.h"

/* Number of rounds that shorten no side's quickest one, see measure.h. */
enum { SETTLED = 5, SETTLED_QUICK = 2 };

struct options {
	const struct bench_row *row;
	unsigned int rounds;
	uint64_t operations; /* 0: the row's own */
	bool without_peer;
	bool quick;
	const char *owner; /* this is the other process of a row, in the session of this label */
};

static int refuse(const char *format, ...)
{
	va_list arguments;

	fputs("tactus-bench: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return 2;
}

static bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *number >= low && *number <= high;
}

static const struct bench_row *find_row(const char *name)
{
	for (const struct bench_row *const *row = bench_rows; *row; row++)
		if (!strcmp((*row)->name, name))
			return *row;
	return NULL;
}

static int list_rows(void)
{
	for (const struct bench_row *const *row = bench_rows; *row; row++)
		puts((*row)->name);
	return -1;
}

/* Below 0: the program has printed all and ends; above 0: the exit status. */
static int parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {{"row", required_argument, NULL, 'r'},
					      {"cpu", required_argument, NULL, 'c'},
					      {"rounds", required_argument, NULL, 'n'},
					      {"operations", required_argument, NULL, 'o'},
					      {"without-peer", no_argument, NULL, 'w'},
					      {"quick", no_argument, NULL, 'q'},
					      {"rows", no_argument, NULL, 'l'},
					      {"owner", required_argument, NULL, 'p'},
					      {0}};
	uint64_t number;
	int option;

	bench.cpu = -1;
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'r':
			options->row = find_row(optarg);
			if (!options->row)
				return refuse("no row \"%s\": use one that --rows prints", optarg);
			break;
		case 'c':
			if (!parse_number(optarg, 0, CPU_SETSIZE - 1, &number))
				return refuse("--cpu \"%s\": use a CPU from 0 to %d", optarg,
					      CPU_SETSIZE - 1);
			bench.cpu = (int)number;
			break;
		case 'n':
			if (!parse_number(optarg, 1, BENCH_ROUNDS_MAX, &number))
				return refuse("--rounds \"%s\": use 1 to %u", optarg,
					      BENCH_ROUNDS_MAX);
			options->rounds = (unsigned int)number;
			break;
		case 'o':
			if (!parse_number(optarg, 1, 1000000000, &options->operations))
				return refuse("--operations \"%s\": use 1 to 1000000000", optarg);
			break;
		case 'w':
			options->without_peer = true;
			break;
		case 'q':
			options->quick = true;
			break;
		case 'l':
			return list_rows();
		case 'p':
			options->owner = optarg;
			break;
		default:
			return refuse("use --row NAME [--cpu N] [--rounds N] [--operations N] "
				      "[--without-peer] [--quick], or --rows");
		}
	}
	if (optind < argc)
		return refuse("\"%s\" is not an option: see --help", argv[optind]);
	if (options->quick && options->rounds)
		return refuse("--quick chooses the number of rounds: leave it or --rounds out");
	if (!options->row && !options->owner)
		return refuse("no row is given: use --row with one that --rows prints");
	return 0;
}

static void print_rounds(const char *key, const double *rounds, unsigned int count)
{
	printf(", \"%s\": [", key);
	for (unsigned int i = 0; i < count; i++)
		printf("%s%.3f", i ? ", " : "", rounds[i]);
	putchar(']');
}

/* The texts come from this program or the library, so they have no control characters. */
static void print_text(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('"');
}

static void print_result(const struct bench_row *row, const struct bench_result *result)
{
	printf("{\"name\": \"%s\", \"what\": ", row->name);
	print_text(row->what);
	printf(", \"cpu\": %d, \"fifo\": %s", bench.cpu, bench.fifo ? "true" : "false");
	print_rounds("rounds", result->own, result->rounds);
	if (result->peers) {
		printf(", \"peer\": ");
		print_text(*bench.peer ? bench.peer : row->peer);
		print_rounds("peer_rounds", result->peer, result->rounds);
	}
	printf(", \"figures\": {");
	for (unsigned int i = 0; i < bench.figures; i++)
		printf("%s\"%s\": %.3f", i ? ", " : "", bench.figure[i].name,
		       bench.figure[i].value);
	printf("}, \"notices\": [");
	for (unsigned int i = 0; i < bench.notices; i++) {
		fputs(i ? ", " : "", stdout);
		print_text(bench.notice[i]);
	}
	puts("]}");
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct bench_result result;
	int status = parse(&options, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	if (bench_choose_cpu() < 0)
		return 2;
	if (options.owner)
		return bench_remote_owner(options.owner);
	status = bench_measure(
		options.row,
		&(struct bench_effort){
			.rounds = options.rounds ? options.rounds : options.row->rounds,
			.settled = options.rounds  ? 0
				   : options.quick ? SETTLED_QUICK
						   : SETTLED,
			.operations = options.operations,
			.without_peer = options.without_peer,
		},
		&result);
	if (!status)
		print_result(options.row, &result);
	return status;
}
