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
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <tactus/tact.h>

#include "nucleus.h"
#include "tools/program.h"

/* Xenomai's number of Linux's own CLOCK_REALTIME. */
#define HOST_REALTIME 32

#define ROUND_US   100000
#define TRIES      10
#define ROUND_LOOK 1000 /* readings of each CPU in a round, for warps */

static const char help[] =
	"usage: clocktest [options]\n"
	"  -C <id or name>  CLOCK_REALTIME (0, default), CLOCK_MONOTONIC (1), coreclk\n"
	"                   (which is CLOCK_MONOTONIC), CLOCK_HOST_REALTIME\n"
	"                   (32, Linux's time of day), or a number of Linux's\n"
	"  -D               how CLOCK_HOST_REALTIME comes to be known\n"
	"  -T <seconds>     duration (default 0: until interrupted)\n"
	"and what every program of this interface takes, as --cpu-affinity=LIST;\n"
	"<xenomai/init.h> lists it.\n";

struct seen {
	int cpu;
	bool again;
	int64_t first_offset_ns;
	uint64_t first_ns;
	double offset_ns;
	double drift;
	uint64_t warps;
	int64_t worst_ns;
};

static const struct clock {
	const char *name;
	clockid_t id;
	int number; /* that is told */
} clocks[] = {{"CLOCK_REALTIME", CLOCK_REALTIME, CLOCK_REALTIME},
	      {"CLOCK_MONOTONIC", CLOCK_MONOTONIC, CLOCK_MONOTONIC},
	      {"CLOCK_HOST_REALTIME", CLOCK_REALTIME, HOST_REALTIME},
	      {"coreclk", CLOCK_MONOTONIC, CLOCK_MONOTONIC}};
static struct clock tested = {"CLOCK_REALTIME", CLOCK_REALTIME, CLOCK_REALTIME};
static pthread_spinlock_t one_at_a_time;
static uint64_t last_ns; /* that any CPU has read; under the lock */
static _Atomic bool over;

static uint64_t read_clock(void)
{
	struct timespec now;

	if (tested.number == CLOCK_REALTIME)
		return tact_wall_now().ns;
	if (tested.id == CLOCK_MONOTONIC)
		return tact_now().ns;
	clock_gettime(tested.id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t time_of_day(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_usec * 1000u;
}

/* Of several tries the one that was interrupted least. */
static int64_t offset_now(uint64_t *at_ns)
{
	uint64_t shortest = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = read_clock();
		uint64_t day = time_of_day();
		uint64_t after = read_clock();

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		offset = (int64_t)(before + (after - before) / 2 - day);
		*at_ns = before;
	}
	return offset;
}

static void look_for_warps(struct seen *seen)
{
	for (int i = 0; i < ROUND_LOOK; i++) {
		uint64_t now = 0;
		int64_t back;

		pthread_spin_lock(&one_at_a_time);
		now = read_clock();
		back = (int64_t)(last_ns - now);
		last_ns = now;
		pthread_spin_unlock(&one_at_a_time);
		if (back <= 0)
			continue;
		seen->warps++;
		if (back > seen->worst_ns)
			seen->worst_ns = back;
	}
}

static void *look(void *arg)
{
	struct seen *seen = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(seen->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return NULL;
	while (!atomic_load(&over)) {
		uint64_t now = 0;
		int64_t offset = offset_now(&now);

		if (!seen->again) {
			seen->again = true;
			seen->first_offset_ns = offset;
			seen->first_ns = now;
		} else if (now > seen->first_ns) {
			seen->drift = (double)(offset - seen->first_offset_ns) /
				      (double)(now - seen->first_ns);
		}
		seen->offset_ns = (double)offset;
		look_for_warps(seen);
		usleep(ROUND_US);
	}
	return NULL;
}

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
	tested = (struct clock){"of Linux", (clockid_t)number, (int)number};
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

static void print_table(const struct seen *seen, int count)
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
	atomic_store(&over, true);
}

/* The table is written anew in its place, where there is a terminal. */
static int run(struct seen *seen, int count, unsigned int seconds)
{
	pthread_t threads[CPU_SETSIZE];
	uint64_t warps = 0;

	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, look, &seen[i])) {
			fputs("clocktest: no thread for each CPU\n", stderr);
			return 2;
		}
	printf("== Testing built-in %s (%d)\n"
	       "CPU      ToD offset [us] ToD drift [us/s]      warps max delta [us]\n"
	       "--- -------------------- ---------------- ---------- --------------\n",
	       tested.name, tested.number);
	for (unsigned int quarter = 0; !atomic_load(&over); quarter++) {
		if (seconds && quarter == 4 * seconds)
			atomic_store(&over, true);
		else if (isatty(STDOUT_FILENO)) {
			print_table(seen, count);
			printf("\033[%dA", count);
		}
		usleep(250000);
	}
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		warps += seen[i].warps;
	}
	print_table(seen, count);
	return warps ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static struct seen seen[CPU_SETSIZE];
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
	pthread_spin_init(&one_at_a_time, PTHREAD_PROCESS_PRIVATE);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			seen[count++].cpu = cpu;
	return run(seen, count, seconds);
}
