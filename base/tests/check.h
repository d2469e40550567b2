/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the container tests share: expectations that print both sides, and seeded random numbers. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void expect(const char *what, int64_t expected, int64_t actual)
{
	if (expected == actual)
		return;
	fprintf(stderr, "%s: expected %" PRId64 ", actual %" PRId64 "\n", what, expected, actual);
	exit(1);
}

static inline void expect_pointer(const char *what, const void *expected, const void *actual)
{
	if (expected == actual)
		return;
	fprintf(stderr, "%s: expected %p, actual %p\n", what, expected, actual);
	exit(1);
}

static inline void expect_text(const char *what, const char *expected, const char *actual)
{
	if (!strcmp(expected, actual))
		return;
	fprintf(stderr, "%s: expected \"%s\", actual \"%s\"\n", what, expected, actual);
	exit(1);
}

/* SplitMix64. Source: G. Steele, D. Lea, C. Flood, OOPSLA 2014. */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)(next_random(state) % limit);
}

#endif
