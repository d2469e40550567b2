/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles of every type are compared, and stand for any object's. */
#include "test.h"

TASK_TEST(handles_of_one_object_are_the_same_whatever_their_type)
{
	tact_sem_t one, other;
	tact_object_t object;

	expect_ok(tact_sem_create("one", 0, 1, 0, &one));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &other));
	object = tact_object(one);
	expect_true(tact_same(one, one));
	expect_true(tact_same(one, object));
	expect_true(tact_same(object, one));
	expect_true(!tact_same(one, other));
	expect_true(!tact_same(object, other));
	/* And back. */
	expect_ok(tact_sem_post((tact_sem_t){object.id}));
	expect_error(tact_mutex_lock((tact_mutex_t){object.id}, TACT_NOWAIT), TACT_EBADF);
	expect_ok(tact_find("one", TACT_NOWAIT, &object));
	expect_true(tact_same(object, one));
	expect_ok(tact_delete(object));
	expect_error(tact_sem_post(one), TACT_EIDRM);
	/* Once its object has gone, too. */
	expect_true(tact_same(object, one));
}

TASK_TEST(none_is_what_a_zero_initializer_makes)
{
	tact_sem_t zero = {0}, sem;
	struct tact_task_info info = {0};

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_true(tact_same(zero, TACT_NONE));
	expect_true(tact_same(tact_object(zero), TACT_NONE));
	/* A handle that was never set must not mean the caller. */
	expect_true(!tact_same(TACT_SELF, TACT_NONE));
	expect_true(tact_same(TACT_NONE, TACT_NONE));
	expect_true(!tact_same(sem, TACT_NONE));
	expect_true(!tact_same(tact_task_self(), TACT_NONE));
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_true(tact_same(info.waits_for, TACT_NONE));
	/* It names no object of any type. */
	expect_error(tact_delete(TACT_NONE), TACT_EBADF);
	expect_error(tact_sem_post(zero), TACT_EBADF);
	expect_error(tact_mutex_delete((tact_mutex_t){TACT_NONE.id}), TACT_EBADF);
}

static int calls;

static tact_sem_t next(tact_sem_t sem)
{
	calls++;
	return sem;
}

/* They are macros. */
TASK_TEST(a_handle_is_looked_at_once)
{
	tact_sem_t sem = {1};

	expect_eq(tact_object(next(sem)).id, 1);
	expect_eq(calls, 1);
	expect_true(tact_same(next(sem), next(sem)));
	expect_eq(calls, 3);
}
