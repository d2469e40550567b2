/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tests of the index, in the order in which they run. */
#ifndef INDEX_TESTS_H
#define INDEX_TESTS_H

#include <stdbool.h>

#define INDEX_ARGUMENTS 4

struct index_test {
	const char *name;
	const char *title;
	const char *unit;
	double base;      /* the result that has an index of 10 */
	double parts;     /* multiple of the time of a test, which --seconds sets */
	bool many_passes; /* ten instead of three */
	bool computes;    /* the program exists in two codes, for any machine and for this one */
	const char *program;
	/* Follow the seconds. "@": the folder for files; "%": the folder of the programs. */
	const char *arguments[INDEX_ARGUMENTS];
};

extern const struct index_test index_tests[];
extern const unsigned int index_tests_count;

#endif
