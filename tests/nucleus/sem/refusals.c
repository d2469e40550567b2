/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a semaphore refuses, with the documented code. */
#include "test.h"

#include <tactus/skin.h>

static tact_sem_t sem;
static const uint64_t word;
static int32_t units;

TASK_TEST(creation_checks_its_arguments)
{
	expect_error(tact_sem_create(NULL, 0, 0, 0, &sem), TACT_EINVAL);
	expect_error(tact_sem_create(NULL, 2, 1, 0, &sem), TACT_EINVAL);
	expect_error(tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX + 1u, 0, &sem), TACT_EINVAL);
	expect_error(tact_sem_create(NULL, 0, 1, 0x20, &sem), TACT_EINVAL);
	expect_error(tact_sem_create(NULL, 1, 1, TACT_SEM_PULSE, &sem), TACT_EINVAL);
	expect_error(tact_sem_create("", 0, 1, 0, &sem), TACT_EINVAL);
	expect_error(tact_sem_create("a name that is longer than names may be", 0, 1, 0, &sem),
		     TACT_EINVAL);
	expect_error(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(1), &sem), TACT_ENXIO);
	expect_ok(tact_sem_create(NULL, 0, 1, 0, NULL));
}

TASK_TEST(handle_of_another_type_is_refused)
{
	expect_error(tact_sem_post((tact_sem_t){tact_task_self().id}), TACT_EBADF);
	expect_error(tact_sem_wait((tact_sem_t){0}, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_sem_wait((tact_sem_t){0x7fffffff}, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_sem_wait_units((tact_sem_t){0}, TACT_NOWAIT, &units), TACT_EBADF);
	expect_error(tact_sem_wait_while((tact_sem_t){0x7fffffff}, TACT_NOWAIT, &word, 0),
		     TACT_EBADF);
	expect_error(tact_sem_delete((tact_sem_t){0xffffffff}), TACT_EBADF);
	expect_error(tact_sem_broadcast((tact_sem_t){0x12345}), TACT_EBADF);
	expect_error(tact_sem_flush((tact_sem_t){0x12345}), TACT_EBADF);
	expect_error(tact_sem_reset((tact_sem_t){0x12345}, 0), TACT_EBADF);
}

TASK_TEST(timeout_of_unknown_kind_is_refused)
{
	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	expect_error(tact_sem_wait(sem, ((tact_timeout_t){0, 5})), TACT_EINVAL);
	expect_error(tact_sem_wait_while(sem, ((tact_timeout_t){0, 5}), &word, 0), TACT_EINVAL);
	expect_error(tact_sem_wait_units(sem, ((tact_timeout_t){0, 5}), &units), TACT_EINVAL);
	expect_error(tact_sem_wait_units(sem, TACT_NOWAIT, NULL), TACT_EINVAL);
}

TASK_TEST(wait_while_needs_a_word)
{
	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	expect_error(tact_sem_wait_while(sem, TACT_NOWAIT, NULL, 0), TACT_EINVAL);
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_sem_create(NULL, 0, 1, 0, &sem), TACT_EPERM);
	expect_error(tact_sem_post((tact_sem_t){0x40001}), TACT_EPERM);
}
