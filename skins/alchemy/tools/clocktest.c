/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * clocktest: a clock of the nucleus beside Linux's time of day, seen from each CPU: how far apart
 * they are, how fast that changes, and whether the clock ever runs backwards from one CPU to
 * another; with the options and the table that users of Xenomai know. Exit status 0: it never did;
 * 1: it did; 2: it could not start.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "clocktest.h"
#include "nucleus.h"
#include "tools/program.h"

/* Xenomai's number of Linux's own CLOCK_REALTIME. */
#define HOST_REALTIME 32

static const char help[] =
	"usage: clocktest [options]\n"
	"  -C <id or name>  CLOCK_REALTIME (0, default), CLOCK_MONOTONIC (1), coreclk\n"
	"                   (which is CLOCK_MONOTONIC), CLOCK_HOST_REALTIME\n"
	"                   (32, Linux's time of day), or a clock id of Linux\n"
	"  -D               how CLOCK_HOST_REALTIME is determined\n"
	"  -T <seconds>     duration (default 0: until interrupted)\n"
	"and the options of every program of this interface, as --cpu-affinity=LIST;\n"
	"<xenomai/init.h> lists them.\n";

static const struct clocktest_clock clocks[] = {
	{"CLOCK_REALTIME", CLOCK_REALTIME, CLOCK_REALTIME},
	{"CLOCK_MONOTONIC", CLOCK_MONOTONIC, CLOCK_MONOTONIC},
	{"CLOCK_HOST_REALTIME", CLOCK_REALTIME, HOST_REALTIME},
	{"coreclk", CLOCK_MONOTONIC, CLOCK_MONOTONIC}};
static volatile sig_atomic_t over;
static struct clocktest_clock tested = {"CLOCK_REALTIME", CLOCK_REALTIME, CLOCK_REALTIME};

static int choose(const char *text)
{
	struct timespec now;
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	if (end == text || *end || errno || number < 0 || number > INT32_MAX)
		number = -1;
	for (unsigned int i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(text, clocks[i].name) || clocks[i].number == number) {
			tested = clocks[i];
			return 0;
		}
	if (number < 0 || clock_gettime((clockid_t)number, &now)) {
		fprintf(stderr, "clocktest: -C %s: no such clock; see --help\n", text);
		return -1;
	}
	tested = (struct clocktest_clock){"of Linux", (clockid_t)number, (int)number};
	return 0;
}

/* 0, 1: help was asked for, or -1 with a complaint. */
static int parse(int argc, char **argv, unsigned int *seconds, bool *diagnose)
{
	static const struct option words[] = {{"help", no_argument, NULL, 'h'}, {0}};
	static const char letters[] = ":hC:DT:";
	int letter;
	char *end;
	long value;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, letters, words, NULL)) != -1) {
		switch (letter) {
		case 'h':
			fputs(help, stdout);
			return 1;
		case 'C':
			if (choose(optarg))
				return -1;
			break;
		case 'D':
			*diagnose = true;
			break;
		case 'T':
			errno = 0;
			value = strtol(optarg, &end, 10);
			if (end == optarg || *end || errno || value < 0 || value > 31536000) {
				fprintf(stderr,
					"clocktest: -T %s: use a number from 0 to 31536000\n",
					optarg);
				return -1;
			}
			*seconds = (unsigned int)value;
			break;
		default:
			return program_refuse("clocktest", letter, argv, letters);
		}
	}
	if (optind == argc)
		return 0;
	fprintf(stderr, "clocktest: %s: no such argument; see --help\n", argv[optind]);
	return -1;
}

static void print_table(const struct clocktest_seen *seen, int count)
{
	for (int i = 0; i < count; i++)
		printf("%3d %20.1f %16.3f %10" PRIu64 " %14.1f\n", seen[i].cpu,
		       seen[i].offset_ns / 1000.0, seen[i].drift * 1000000.0, seen[i].warps,
		       (double)seen[i].worst_ns / 1000.0);
	fflush(stdout);
}

static void interrupt(int signal)
{
	(void)signal;
	over = true;
}

/* The table is written anew in its place, where there is a terminal. */
static int run(struct clocktest_seen *seen, int count, unsigned int seconds)
{
	uint64_t warps = 0;

	if (clocktest_observe(&tested, seen, count))
		return 2;
	printf("== Testing built-in %s (%d)\n"
	       "CPU      ToD offset [us] ToD drift [us/s]      warps max delta [us]\n"
	       "--- -------------------- ---------------- ---------- --------------\n",
	       tested.name, tested.number);
	fflush(stdout);
	for (unsigned int quarter = 0; !over; quarter++) {
		if (seconds && quarter == 4 * seconds)
			over = true;
		else if (isatty(STDOUT_FILENO)) {
			print_table(seen, count);
			printf("\033[%dA", count);
		}
		usleep(250000);
	}
	clocktest_end(seen, count);
	for (int i = 0; i < count; i++)
		warps += seen[i].warps;
	print_table(seen, count);
	return warps ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static struct clocktest_seen seen[CPU_SETSIZE];
	char notice[TACT_REASON_BYTES];
	unsigned int seconds = 0;
	cpu_set_t cpus;
	int count = 0;
	bool diagnose = false;
	int status;

	program_take_options(&argc, &argv);
	status = parse(argc, argv, &seconds, &diagnose);
	if (status)
		return status < 0 ? 2 : 0;
	/* The start takes CPUs from the set: what the program was given is what is looked at. */
	sched_getaffinity(0, sizeof(cpus), &cpus);
	if (nucleus_start("clocktest", -1, notice))
		return 2;
	/* In the words that its users know: Linux's clock is asked, there is no copy of it. */
	if (diagnose && tested.number == HOST_REALTIME)
		puts("XNVDSO_FEAT_HOST_REALTIME not available");
	(void)mlockall(MCL_CURRENT | MCL_FUTURE);
	program_end_by(interrupt);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			seen[count++].cpu = cpu;
	return run(seen, count, seconds);
}
