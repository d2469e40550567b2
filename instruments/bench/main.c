/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-bench: measures one row and prints it as JSON, raw: every round of both sides. Exit status
 * 0: the result is complete; 1: the measurement failed; 2: it could not start.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench.h"
#include "with.h"

struct bench bench;

struct options {
	const struct bench_row *row;
	unsigned int rounds;
	uint64_t operations; /* 0: the row's own */
	bool without_peer;
};

void bench_notice(const char *format, ...)
{
	va_list arguments;

	if (bench.notices == BENCH_NOTICES)
		return;
	va_start(arguments, format);
	vsnprintf(bench.notice[bench.notices++], BENCH_TEXT, format, arguments);
	va_end(arguments);
}

void bench_figure(const char *name, double value)
{
	for (unsigned int i = 0; i < bench.figures; i++)
		if (!strcmp(bench.figure[i].name, name)) {
			bench.figure[i].value = value;
			return;
		}
	bench.figure[bench.figures].name = name;
	bench.figure[bench.figures++].value = value;
}

int bench_failed(const char *what, int error)
{
	fprintf(stderr, "tactus-bench: %s failed: %s\n", what,
		strerror(error < 0 ? -error : error));
	return error < 0 ? error : -error;
}

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

/* Below 0: all is said and done; above 0: the exit status. */
static int parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {{"row", required_argument, NULL, 'r'},
					      {"cpu", required_argument, NULL, 'c'},
					      {"rounds", required_argument, NULL, 'n'},
					      {"operations", required_argument, NULL, 'o'},
					      {"without-peer", no_argument, NULL, 'w'},
					      {"rows", no_argument, NULL, 'l'},
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
		case 'l':
			return list_rows();
		default:
			return refuse("use --row NAME [--cpu N] [--rounds N] [--operations N] "
				      "[--without-peer], or --rows");
		}
	}
	if (optind < argc)
		return refuse("\"%s\" is not an option: see the list that --help gives",
			      argv[optind]);
	if (!options->row)
		return refuse("which row? use --row with one that --rows prints");
	return 0;
}

static int choose_cpu(void)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return refuse("the CPUs of this process cannot be read: %s", strerror(errno));
	for (int cpu = 0; bench.cpu < 0 && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(CPU_SETSIZE - 1 - cpu, &allowed))
			bench.cpu = CPU_SETSIZE - 1 - cpu;
	if (!CPU_ISSET(bench.cpu, &allowed))
		return refuse("CPU %d is not there or not allowed: use --cpu with another one",
			      bench.cpu);
	bench.alone = CPU_COUNT(&allowed) == 1;
	return 0;
}

static int start(const struct options *options)
{
	const uint32_t cpu = (uint32_t)bench.cpu;
	const struct tact_config config = {
		.name = "tactus-bench",
		.linux_cpu = bench.on_sim ? NULL : &cpu,
		.pool_bytes = options->row->pool_bytes,
		.idle = TACT_IDLE_HYBRID,
	};
	char reason[TACT_REASON_BYTES];
	cpu_set_t others;

	bench_threads_init();
	if (tact_start(&config, reason))
		return refuse("%s", reason);
	if (*reason)
		bench_notice("%s", reason);
	/* Nothing of ours shall disturb the CPU under test. */
	if (!bench.on_sim && !bench.alone && !sched_getaffinity(0, sizeof(others), &others)) {
		CPU_CLR(bench.cpu, &others);
		(void)sched_setaffinity(0, sizeof(others), &others);
	}
	return tact_trace_enable(0, 0) ? refuse("the trace cannot be switched off") : 0;
}

static void print_rounds(const char *key, const double *rounds, unsigned int count)
{
	printf(", \"%s\": [", key);
	for (unsigned int i = 0; i < count; i++)
		printf("%s%.3f", i ? ", " : "", rounds[i]);
	putchar(']');
}

/* Texts are ours or the library's: no control characters. */
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

static void print_result(const struct bench_row *row, const double *ours, unsigned int count,
			 const double *peer, unsigned int peer_count)
{
	printf("{\"name\": \"%s\", \"what\": ", row->name);
	print_text(row->what);
	printf(", \"cpu\": %d, \"fifo\": %s", bench.cpu, bench.fifo ? "true" : "false");
	print_rounds("rounds", ours, count);
	if (peer_count) {
		printf(", \"peer\": ");
		print_text(*bench.peer ? bench.peer : row->peer);
		print_rounds("peer_rounds", peer, peer_count);
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

static int measure(const struct options *options)
{
	const struct bench_row *row = options->row;
	const uint64_t operations = options->operations ? options->operations : row->operations;
	const unsigned int rounds = options->rounds ? options->rounds : row->rounds;
	const bool with_peer = row->peer_run && !options->without_peer;
	double ours[BENCH_ROUNDS_MAX], peer[BENCH_ROUNDS_MAX];
	int error = row->open ? row->open(operations) : 0;

	for (unsigned int i = 0; i < rounds && !error; i++) {
		ours[i] = row->run(operations) / (double)operations;
		if (ours[i] >= 0 && with_peer)
			peer[i] =
				row->peer_run(row->peer_operations) / (double)row->peer_operations;
		error = ours[i] < 0 || (with_peer && peer[i] < 0);
	}
	if (row->close)
		row->close();
	if (!error)
		print_result(row, ours, rounds, peer, with_peer ? rounds : 0);
	return error != 0;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	int status = parse(&options, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	bench.on_sim = bench_with_sim();
	status = choose_cpu();
	if (!status)
		status = start(&options);
	if (status)
		return status;
	status = measure(&options);
	(void)tact_stop();
	return status;
}
