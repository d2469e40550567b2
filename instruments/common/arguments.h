/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Command lines of the instruments: a table of options, each with its range, from which --help and
 * the refusals are made, so that an option has the same form in all instruments. */
#ifndef COMMON_ARGUMENTS_H
#define COMMON_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

enum argument_kind {
	ARGUMENT_INTEGER, /* int: low … high */
	ARGUMENT_COUNT,   /* uint64_t: low … high */
	ARGUMENT_SECONDS, /* uint64_t in ns, given as a number of seconds; low, high in ns */
	ARGUMENT_TIME,    /* uint64_t in ns, given with its unit (ns, us, ms, s); low, high in ns */
	ARGUMENT_TEXT,    /* const char * */
	ARGUMENT_FILE,    /* const char *: a path */
	ARGUMENT_CHOICE,  /* int: index into choices, which ends with NULL */
	ARGUMENT_FLAG,    /* bool */
};

struct argument {
	const char *name; /* without the dashes; NULL ends the table */
	enum argument_kind kind;
	void *value; /* holds the default, which stays if the option is not given */
	double low, high;
	const char *const *choices;
	const char *help; /* its meaning; range and default are added */
};

#define ARGUMENTS_MAX 24

/* Read the command line into the table's values. `purpose` is the first line of --help.
 * Returns 0; 1 after --help; -1 after one line on stderr that says what is wrong and what to do. */
int arguments_parse(const char *purpose, const struct argument *table, int argc, char **argv);

/* For a program that reads its own options: report the mistake after getopt_long() has answered
 * with '?' or ':'; values of words begin at 256. Returns -1. */
int arguments_complain(int key, char **argv);

/* The nanoseconds of a time with its unit ("250us"); below 0: the text is no time. */
double arguments_time_ns(const char *text);

/* The options that the instruments have in common. */
#define ARGUMENT_OF_CPU(cpu)                                                        \
	{                                                                           \
		"cpu", ARGUMENT_INTEGER, (cpu), 0, 4095, NULL, "the CPU under test" \
	}
#define ARGUMENT_OF_PRIORITY(priority)                                                       \
	{                                                                                    \
		"priority", ARGUMENT_INTEGER, (priority), 1, 98, NULL, "SCHED_FIFO priority" \
	}
#define ARGUMENT_OF_SECONDS(duration_ns)                                        \
	{                                                                       \
		"seconds", ARGUMENT_SECONDS, (duration_ns), 1e7, 86400e9, NULL, \
			"duration of the measurement"                           \
	}
#define ARGUMENT_OF_LOOPS(loops)                                \
	{                                                       \
		"loops", ARGUMENT_COUNT, (loops), 0, 1e9, NULL, \
			"number of samples; 0: for --seconds"   \
	}
#define ARGUMENT_OF_PERIOD(period_ns)                                                              \
	{                                                                                          \
		"period", ARGUMENT_TIME, (period_ns), 1e4, 1e10, NULL, "time between two releases" \
	}
#define ARGUMENT_OF_JSON(path)                                           \
	{                                                                \
		"json", ARGUMENT_FILE, (path), 0, 0, NULL,               \
			"write the result to FILE as JSON; -: to stdout" \
	}
#define ARGUMENT_OF_SAMPLES(path)                                          \
	{                                                                  \
		"samples", ARGUMENT_FILE, (path), 0, 0, NULL,              \
			"write each sample to FILE (docs/spec/samples.md)" \
	}
#define ARGUMENT_OF_DYING(flag)                                       \
	{                                                             \
		"die-with-parent", ARGUMENT_FLAG, (flag), 0, 0, NULL, \
			"end when the parent process ends"            \
	}

#endif
