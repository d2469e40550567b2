/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the calls for words refuse, and what handlers may do with words. */
#include "test.h"

static uintptr_t word, other;

TASK_TEST(arguments_are_checked)
{
	uintptr_t *crooked = (uintptr_t *)(void *)((char *)&word + 1);

	expect_error(tact_word_post(0, NULL, 1), TACT_EINVAL);
	expect_error(tact_word_post(0, crooked, 1), TACT_EINVAL);
	expect_error(tact_word_post(0, &word, 0), TACT_EINVAL);
	expect_error(tact_word_post(1, &word, 1), TACT_ENXIO);
	expect_error(tact_word_pend(0, NULL, NULL, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_word_pend(0, crooked, NULL, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_word_pend(0, &word, NULL, ((tact_timeout_t){0, 9})), TACT_EINVAL);
	expect_error(tact_word_pend(UINT32_MAX, &word, NULL, TACT_NOWAIT), TACT_ENXIO);
	expect_eq(word, 0);
}

static void use_here(void *unused)
{
	uintptr_t value = 0;

	(void)unused;
	expect_error(tact_word_pend(0, &word, &value, TACT_FOREVER), TACT_EPERM);
	expect_error(tact_word_pend(0, &word, &value, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_word_post(0, &word, 1));
	expect_error(tact_word_post(0, &word, 2), TACT_ENOSPC);
	expect_ok(tact_word_pend(0, &word, &value, TACT_NOWAIT));
	expect_eq(value, 1);
}

TEST(handler_never_waits)
{
	test_in_handler(use_here, NULL);
	expect_eq(word, 0);
}

static void use_afar(void *unused)
{
	uintptr_t value;

	(void)unused;
	expect_error(tact_word_pend(1, &word, &value, TACT_NOWAIT), TACT_EPERM);
	expect_ok(tact_word_post(1, &word, 3));
	/* In the order of sending: this one comes too late, and nobody is told. */
	expect_ok(tact_word_post(1, &word, 4));
	expect_ok(tact_word_post(1, &other, 5));
}

TEST_CPUS(2, handler_posts_to_another_cpu)
{
	uintptr_t value = 0;

	test_in_handler(use_afar, NULL);
	expect_ok(tact_word_pend(1, &other, &value, TEST_LONG));
	expect_eq(value, 5);
	expect_ok(tact_word_pend(1, &word, &value, TACT_NOWAIT));
	expect_eq(value, 3);
	expect_error(tact_word_pend(1, &word, &value, TACT_NOWAIT), TACT_EAGAIN);
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_word_post(0, &word, 1), TACT_EPERM);
	expect_error(tact_word_pend(0, &word, NULL, TACT_NOWAIT), TACT_EPERM);
}
