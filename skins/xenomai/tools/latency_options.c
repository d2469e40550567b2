/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of latency: Xenomai's letters; a value is taken only if it is a number in range.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include <xeno_config.h>

#include "tools/latency.h"
#include "tools/program.h"

#define HELP 256 /* not a letter */

static const char help[] =
	"usage: %s [options]\n"
	"  -h             print histograms of min, avg and max latencies\n"
	"  -g <file>      write a histogram of all samples for gnuplot; -: print it\n"
	"  -s             print statistics of min, avg and max latencies\n"
	"  -H <cells>     cells of a histogram (default 300), the last also for more\n"
	"  -B <ns>        width of a cell (default 1000)\n"
	"  -p <us>        sampling period (default %d)\n"
	"  -l <lines>     data lines per header (default 21; 0: no headers)\n"
	"  -T <seconds>   duration (default 0: until interrupted)\n"
	"  -q             print only the summary; needs -T\n"
	"%s"
	"  -c <cpu>       the CPU for the measurement (default: of --cpu-affinity)\n"
	"  -P <priority>  priority of the task, 1 to 99 (default 99)\n"
	"  -f             mark each new maximum in the trace\n"
	"  -D <device>    device of the timer benchmark: 0, the only one\n"
	"  -b             stop at a switch to secondary mode\n"
	"and the options of every program of this interface, as --cpu-affinity=LIST\n"
	"or --session=LABEL; <xenomai/init.h> lists them.\n";

const char *latency_mode_name(enum latency_mode mode)
{
	static const char *const names[] = {"periodic user-mode task", "periodic light task",
					    "timer handler"};

	return names[mode];
}

static int number(int letter, const char *text, long low, long high, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	if (end != text && !*end && !errno && *value >= low && *value <= high)
		return 0;
	fprintf(stderr, "%s: -%c %s: use a number from %ld to %ld\n", latency_name, letter, text,
		low, high);
	return -1;
}

static int parse_number(struct latency_options *o, int letter, const char *text)
{
	const struct {
		char letter;
		long low;
		long high;
	} ranges[] = {
		{'H', 1, 1000000}, {'B', 1, 1000000000}, {'p', 10, 1000000},
		{'l', 0, 1000000}, {'T', 0, 31536000},   {'t', 0, latency_modes - 1},
		{'c', 0, 4095},    {'P', 1, 99},         {'D', 0, 0},
	};
	long value = 0;

	for (unsigned int i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (ranges[i].letter == letter &&
		    number(letter, text, ranges[i].low, ranges[i].high, &value))
			return -1;
	switch (letter) {
	case 'H':
		o->cells = (int)value;
		break;
	case 'B':
		o->cell_ns = (int)value;
		break;
	case 'p':
		o->period_ns = (uint64_t)value * 1000;
		break;
	case 'l':
		o->header_lines = (int)value;
		break;
	case 'T':
		o->duration = (uint64_t)value;
		break;
	case 't':
		o->mode = (enum latency_mode)value;
		break;
	case 'c':
		o->cpu = (int)value;
		break;
	case 'P':
		o->priority = (int)value;
	}
	return 0;
}

static int parse_one(struct latency_options *o, int letter, const char *text)
{
	switch (letter) {
	case 'h':
		o->histograms = true;
		return 0;
	case 's':
		o->statistics = true;
		return 0;
	case 'g':
		o->gnuplot = text;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	case 'b':
		o->break_on_switch = true;
		return 0;
	case 'f':
		o->freeze = true;
		return 0;
	default:
		return parse_number(o, letter, text);
	}
}

int latency_options_parse(struct latency_options *options, int argc, char **argv)
{
	static const struct option words[] = {{"help", no_argument, NULL, HELP}, {0}};
	static const char letters[] = ":g:hp:l:T:qH:B:sD:t:fc:P:b";
	int letter;

	*options = (struct latency_options){
		.period_ns = CONFIG_XENO_DEFAULT_PERIOD,
		.priority = 99,
		.cpu = -1,
		.header_lines = 21,
		.cells = 300,
		.cell_ns = 1000,
	};
	program_take_options(&argc, &argv);
	opterr = 0;
	while ((letter = getopt_long(argc, argv, letters, words, NULL)) != -1) {
		if (letter == HELP) {
			printf(help, latency_name, CONFIG_XENO_DEFAULT_PERIOD / 1000,
			       latency_modes > 1
				       ? "  -t <mode>      0: periodic task (default), 1: light "
					 "task, 2: timer handler\n"
				       : "  -t 0           periodic task, the only mode\n");
			return 1;
		}
		if (letter == '?' || letter == ':')
			return program_refuse(latency_name, letter, argv, letters);
		if (parse_one(options, letter, optarg))
			return -1;
	}
	if (optind < argc) {
		fprintf(stderr, "%s: %s: no such argument; see --help\n", latency_name,
			argv[optind]);
		return -1;
	}
	if (options->quiet && !options->duration) {
		fprintf(stderr, "%s: -q only works if -T has been given.\n", latency_name);
		options->quiet = false;
	}
	return 0;
}
