/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Structures that carry their size, with versions that are made up: a newer library with an older
 * program, and the reverse.
 */
#include "test.h"

#include "kernel/sized.h"

/* Version 1, and the additions of the next two. */
struct first {
	uint32_t size;
	uint32_t a;
	uint32_t b;
};

struct second {
	uint32_t size;
	uint32_t a;
	uint32_t b;
	uint32_t c;
};

struct third {
	uint32_t size;
	uint32_t a;
	uint32_t b;
	uint32_t c;
	uint64_t d;
};

#define FIRST  sizeof(struct first)
#define SECOND sizeof(struct second)
#define THIRD  sizeof(struct third)

TEST_UNSTARTED(older_program_does_not_say_what_a_newer_library_reads)
{
	const struct first given = {FIRST, 1, 2};
	struct third read;

	memset(&read, 0xff, sizeof(read));
	expect_ok(nuc_sized_read(&read, THIRD, FIRST, &given));
	expect_eq(read.a, 1);
	expect_eq(read.b, 2);
	expect_eq(read.c, 0);
	expect_eq(read.d, 0);
}

TEST_UNSTARTED(program_between_them_says_what_it_knows)
{
	const struct second given = {SECOND, 1, 2, 3};
	struct third read = {0};

	expect_ok(nuc_sized_read(&read, THIRD, FIRST, &given));
	expect_eq(read.b, 2);
	expect_eq(read.c, 3);
	expect_eq(read.d, 0);
}

TEST_UNSTARTED(size_of_zero_is_version_one)
{
	/* What stands behind it is none of it. */
	const struct third given = {0, 1, 2, 3, 4};
	struct third read = {0};

	expect_ok(nuc_sized_read(&read, THIRD, FIRST, &given));
	expect_eq(read.a, 1);
	expect_eq(read.b, 2);
	expect_eq(read.c, 0);
	expect_eq(read.d, 0);
	expect_ok(nuc_sized_check(&given, FIRST));
}

TEST_UNSTARTED(newer_program_may_not_want_what_an_older_library_does_not_know)
{
	struct third given = {THIRD, 1, 2, 0, 0};
	struct first read = {0};

	expect_ok(nuc_sized_read(&read, FIRST, FIRST, &given));
	expect_eq(read.a, 1);
	expect_eq(read.b, 2);
	given.c = 1;
	expect_error(nuc_sized_read(&read, FIRST, FIRST, &given), TACT_EINVAL);
	given.c = 0;
	given.d = 1ull << 63;
	expect_error(nuc_sized_read(&read, FIRST, FIRST, &given), TACT_EINVAL);
	/* One that knows c, but not d. */
	given.c = 1;
	expect_error(nuc_sized_read(&(struct second){0}, SECOND, FIRST, &given), TACT_EINVAL);
	given.d = 0;
	expect_ok(nuc_sized_read(&(struct second){0}, SECOND, FIRST, &given));
}

TEST_UNSTARTED(older_program_is_told_what_it_knows)
{
	const struct third known = {0, 1, 2, 3, 4};
	struct third told = {FIRST, 9, 9, 9, 9};

	nuc_sized_write(&told, FIRST, &known, THIRD);
	expect_eq(told.size, FIRST);
	expect_eq(told.a, 1);
	expect_eq(told.b, 2);
	/* It has no memory there. */
	expect_eq(told.c, 9);
	expect_eq(told.d, 9);
	told.size = 0;
	nuc_sized_write(&told, FIRST, &known, THIRD);
	expect_eq(told.size, FIRST);
	expect_eq(told.c, 9);
	told.size = SECOND;
	nuc_sized_write(&told, FIRST, &known, THIRD);
	expect_eq(told.size, SECOND);
	expect_eq(told.c, 3);
	expect_eq(told.d, 9);
}

TEST_UNSTARTED(newer_program_is_told_what_an_older_library_knows)
{
	const struct first known = {0, 1, 2};
	struct third told = {THIRD, 9, 9, 9, 9};

	nuc_sized_write(&told, FIRST, &known, FIRST);
	expect_eq(told.size, FIRST);
	expect_eq(told.a, 1);
	expect_eq(told.b, 2);
	/* Nothing behind what the library knows is written: the size may be chance. */
	expect_eq(told.c, 9);
	expect_eq(told.d, 9);
}

TEST_UNSTARTED(size_of_no_version_is_refused)
{
	static const uint32_t sizes[] = {1,         4,  FIRST - 4, FIRST - 1,         FIRST + 1,
					 FIRST + 2, 19, 21,        NUC_SIZED_MAX + 4, UINT32_MAX};
	struct third given = {0};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		given.size = sizes[i];
		expect_error(nuc_sized_check(&given, FIRST), TACT_EINVAL);
		expect_error(nuc_sized_read(&(struct third){0}, THIRD, FIRST, &given), TACT_EINVAL);
	}
	expect_ok(nuc_sized_check(NULL, FIRST));
}

/* A later, unknown version with the largest possible size. */
TEST_UNSTARTED(largest_size_is_read_to_its_end)
{
	static unsigned char given[NUC_SIZED_MAX + 1];
	const uint32_t size = NUC_SIZED_MAX;
	struct first read;

	memcpy(given, &size, sizeof(size));
	given[NUC_SIZED_MAX] = 1;
	expect_ok(nuc_sized_read(&read, FIRST, FIRST, given));
	given[NUC_SIZED_MAX - 1] = 1;
	expect_error(nuc_sized_read(&read, FIRST, FIRST, given), TACT_EINVAL);
	nuc_sized_write(given, FIRST, &read, FIRST);
	/* What is not known here is not written. */
	expect_eq(given[NUC_SIZED_MAX - 1], 1);
	expect_eq(given[NUC_SIZED_MAX], 1);
}
