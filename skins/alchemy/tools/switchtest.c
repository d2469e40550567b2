/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * switchtest: switches between tasks of all kinds on each real-time CPU, as often as they go, and
 * looks whether each finds its registers and its mode as it left them; with the options and the
 * table that users of Xenomai know. Exit status 0: nothing was wrong; 1: something was; 2: it could
 * not start.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "nucleus.h"
#include "switchtest.h"
#include "tools/program.h"

static const char help[] =
	"usage: switchtest [options] [thread...]\n"
	"  -l, --lines <lines>      data lines per header (default 21; 0: no headers)\n"
	"  -q, --quiet              print no lines with counts\n"
	"  -Q, --really-quiet       print nothing\n"
	"  -T, --timeout <seconds>  duration (default 0: until interrupted)\n"
	"  -n, --nofpu              use no floating point\n"
	"  -s, --stress <us>        pause of the sleeper in each turn (default 1000)\n"
	"  -f, --freeze             end the trace, with a mark, at the first error\n"
	"and the options of every program of this interface, as --cpu-affinity=LIST;\n"
	"<xenomai/init.h> lists them.\n"
	"thread: (rtk|rtup|rtus|rtuo)(_fp|_ufpp|_ufps)*[cpu]\n"
	"  rtk: a light task, rtup: in primary mode, rtus: in secondary mode, rtuo: in\n"
	"  both by turns\n"
	"  _fp, _ufpp: uses floating point in primary mode, _ufps: in secondary mode\n"
	"  cpu: the number of a real-time CPU (default: all of them)\n"
	"If no thread is given, two of each kind take part.\n";

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static int number(int letter, const char *text, long low, long high, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	if (end != text && !*end && !errno && *value >= low && *value <= high)
		return 0;
	fprintf(stderr, "switchtest: -%c %s: use a number from %ld to %ld\n", letter, text, low,
		high);
	return -1;
}

/* 0, 1: help was asked for, or -1 with a complaint. */
static int parse(struct switchtest *test, int argc, char **argv)
{
	static const struct option words[] = {
		{"help", no_argument, NULL, 'h'},
		{"lines", required_argument, NULL, 'l'},
		{"quiet", no_argument, NULL, 'q'},
		{"really-quiet", no_argument, NULL, 'Q'},
		{"timeout", required_argument, NULL, 'T'},
		{"nofpu", no_argument, NULL, 'n'},
		{"stress", required_argument, NULL, 's'},
		{"freeze", no_argument, NULL, 'f'},
		{0},
	};
	static const char letters[] = ":hl:qQT:ns:f";
	long value = 0;
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, letters, words, NULL)) != -1) {
		switch (letter) {
		case 'h':
			fputs(help, stdout);
			return 1;
		case 'q':
			test->quiet = test->quiet ? test->quiet : 1;
			continue;
		case 'Q':
			test->quiet = 2;
			continue;
		case 'f':
			test->freeze = true;
			continue;
		case 'n':
			test->no_fpu = true;
			continue;
		case 'l':
			if (number(letter, optarg, 0, 1000000, &value))
				return -1;
			test->header_lines = (int)value;
			continue;
		case 'T':
			if (number(letter, optarg, 0, 31536000, &value))
				return -1;
			test->duration = (uint64_t)value;
			continue;
		case 's':
			if (number(letter, optarg, 1, 1000000, &value))
				return -1;
			test->sleep_ns = (uint64_t)value * 1000;
			continue;
		default:
			return program_refuse("switchtest", letter, argv, letters);
		}
	}
	return 0;
}

static int start(struct switchtest *test)
{
	char notice[TACT_REASON_BYTES];
	int error = nucleus_start("switchtest", -1, notice);

	if (error)
		return error;
	for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++) {
		struct tact_cpu_info info = {0};

		(void)tact_cpu_inquire(cpu, &info);
		test->groups[cpu].cpu = cpu;
		test->groups[cpu].linux_cpu = info.linux_cpu;
	}
	test->groups_count = tact_cpus();
	return 0;
}

static void announce(const struct switchtest *test)
{
	char name[NAME_BYTES];

	printf("== Threads:");
	for (uint32_t i = 0; i < test->groups_count; i++)
		for (unsigned int j = 0; j < test->groups[i].count; j++)
			printf(" %s", member_name(&test->groups[i].members[j], name));
	putchar('\n');
	fflush(stdout);
}

static void print_counts(const struct switchtest *test, struct group *group, uint64_t seconds,
			 uint64_t now)
{
	static int lines;

	if (test->header_lines && lines++ % test->header_lines == 0)
		printf("RTT|  %.2" PRIu64 ":%.2" PRIu64 ":%.2" PRIu64 "\nRTH|%12s|%12s|%12s\n",
		       seconds / 3600, seconds / 60 % 60, seconds % 60, "---------cpu",
		       "ctx switches", "-------total");
	printf("RTD|%12u|%12" PRIu64 "|%12" PRIu64 "\n", group->linux_cpu, now - group->told, now);
	fflush(stdout);
}

static int report_progress(struct switchtest *test, uint64_t seconds)
{
	for (uint32_t i = 0; i < test->groups_count; i++) {
		struct group *group = &test->groups[i];
		uint64_t now = atomic_load(&group->switches);

		if (turns_wrong()) {
			fprintf(stderr, "%s\n", turns_wrong());
			return -1;
		}
		if (group->count > 1 && now == group->told) {
			fputs("No context switches during one second, aborting.\n", stderr);
			return -1;
		}
		if (!test->quiet)
			print_counts(test, group, seconds, now);
		group->told = now;
	}
	return 0;
}

static int watch(struct switchtest *test)
{
	tact_sem_t never;

	if (tact_sem_create(NULL, 0, 1, 0, &never))
		return -1;
	for (uint64_t seconds = 1; !interrupted; seconds++) {
		(void)tact_sem_wait(never, tact_in(1000000000));
		if (interrupted)
			break;
		if (report_progress(test, seconds))
			return -1;
		if (seconds == test->duration)
			break;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct switchtest test = {.header_lines = 21, .sleep_ns = 1000000};
	int status;

	/* --quiet is among them. */
	program_take_options(&argc, &argv);
	test.quiet = nucleus_is_quiet();
	status = parse(&test, argc, argv);
	if (status)
		return status < 0 ? 2 : 0;
	(void)mlockall(MCL_CURRENT | MCL_FUTURE);
	program_end_by(interrupt);
	if (!test.no_fpu) {
		if (test.quiet < 2)
			puts("== Testing FPU check routines...");
		if (!fpu_check_works(test.quiet < 2)) {
			fputs("FPU check routines: FAILURE\n", stderr);
			return EXIT_FAILURE;
		}
		if (test.quiet < 2)
			puts("== FPU check routines: OK.");
	}
	if (start(&test) || members_from_words(&test, argv + optind, argc - optind))
		return 2;
	if (test.quiet < 2)
		announce(&test);
	if (turns_start(&test)) {
		fputs("switchtest: no memory for so many threads\n", stderr);
		return 2;
	}
	return watch(&test) ? EXIT_FAILURE : EXIT_SUCCESS;
}
