/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the user of tactus-explore asked for. */
#ifndef EXPLORE_OPTIONS_H
#define EXPLORE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct explore_scenario;

struct options {
	const struct explore_scenario *scenario; /* NULL: all */
	uint64_t first, seeds;
	const char *known; /* file of runs; NULL: seeds and scenarios say which */
	bool single;       /* one seed: its hash is wanted */
	bool until_failure;
	uint32_t jobs;
};

/* Reads the command line; what it cannot serve ends the program with a line that says what to do.
 */
struct options options_parse(int argc, char **argv);

/* A whole number from low to high, or the end. */
uint64_t options_number(const char *option, const char *text, uint64_t low, uint64_t high);

/* Ends the program with this line. */
void options_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
