/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A task that holds many objects ends: they are given back in pieces, by a task as urgent as the
 * most urgent waiter. The body is more urgent than all: when its deletion has returned, most are
 * still to be given back.
 */
#include "test.h"

#define MANY 200u

static tact_mutex_t mutexes[MANY];
static tact_rwlock_t rwlock;
static tact_sem_t gate; /* the owner ends when it is let through */

static void hold_all(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < MANY; i++)
		expect_ok(tact_mutex_lock(mutexes[i], TACT_NOWAIT));
	expect_ok(tact_rwlock_write(rwlock, TACT_NOWAIT));
	(void)tact_sem_wait(gate, TEST_LONG);
}

/* Detached or to be joined. */
static tact_task_t begin(uint32_t flags)
{
	struct tact_task_attr attr = {.priority = 10, .flags = flags};
	tact_task_t owner;

	for (uint32_t i = 0; i < MANY; i++)
		expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutexes[i]));
	expect_ok(tact_rwlock_create(NULL, 2, TACT_PRIO, &rwlock));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &gate));
	expect_ok(tact_task_spawn(&attr, hold_all, NULL, &owner));
	test_until_state(owner, TACT_TASK_STATE_WAITING);
	return owner;
}

static void expect_all_given_back(void)
{
	for (uint32_t i = 0; i < MANY; i++) {
		struct tact_mutex_info info = {0};

		expect_ok(tact_mutex_inquire(mutexes[i], &info));
		expect_none(info.owner);
		expect_eq(info.state, TACT_MUTEX_INCONSISTENT);
	}
}

TASK_TEST(the_last_of_many_is_had_as_soon_as_its_owner_is_deleted)
{
	tact_task_t owner = begin(TACT_TASK_NO_JOIN);

	expect_ok(tact_task_delete(owner));
	expect_error(tact_mutex_lock(mutexes[MANY - 1], TACT_NOWAIT), TACT_EOWNERDEAD);
	expect_error(tact_rwlock_read(rwlock, TACT_NOWAIT), TACT_EOWNERDEAD);
	expect_ok(tact_mutex_consistent(mutexes[MANY - 1]));
	expect_ok(tact_mutex_unlock(mutexes[MANY - 1]));
	expect_ok(tact_task_sleep(10 * TEST_MS));
	for (uint32_t i = 0; i < MANY - 1; i++)
		expect_error(tact_mutex_lock(mutexes[i], TACT_NOWAIT), TACT_EOWNERDEAD);
}

TASK_TEST(nothing_of_many_is_held_when_the_task_has_been_joined)
{
	tact_task_t owner = begin(0);

	expect_ok(tact_sem_post(gate));
	expect_ok(tact_task_join(owner, TEST_LONG));
	expect_all_given_back();
}

static void wait_for_last(void *unused)
{
	(void)unused;
	expect_error(tact_mutex_lock(mutexes[MANY - 1], TEST_LONG), TACT_EOWNERDEAD);
	mark("waiter");
}

static void pass_gate(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(gate, TEST_LONG));
	mark("other");
}

/* Ready before the waiter. */
static void wait_beside_another(uint32_t other)
{
	tact_task_t owner = begin(TACT_TASK_NO_JOIN);

	test_until_state(test_spawn(30, wait_for_last, NULL), TACT_TASK_STATE_WAITING);
	test_until_state(test_spawn(other, pass_gate, NULL), TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete(owner));
	expect_ok(tact_sem_post(gate));
	expect_ok(tact_task_sleep(20 * TEST_MS));
}

TASK_TEST(pieces_for_a_waiter_go_before_a_less_urgent_task)
{
	wait_beside_another(29);
	expect_marks("waiter other");
}

TASK_TEST(pieces_for_a_waiter_go_behind_a_more_urgent_task)
{
	wait_beside_another(31);
	expect_marks("other waiter");
}

static void lock_last_late(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(gate, TEST_LONG));
	expect_error(tact_mutex_lock(mutexes[MANY - 1], TEST_LONG), TACT_EOWNERDEAD);
	mark("late");
}

TASK_TEST(mutex_that_is_deleted_before_it_is_given_back_is_gone)
{
	tact_task_t owner = begin(TACT_TASK_NO_JOIN);
	tact_task_t late;

	late = test_spawn(40, lock_last_late, NULL);
	test_until_state(late, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete(owner));
	expect_ok(tact_mutex_delete(mutexes[MANY - 2]));
	expect_ok(tact_sem_post(gate));
	expect_ok(tact_task_sleep(10 * TEST_MS));
	expect_marks("late");
	expect_error(tact_mutex_lock(mutexes[MANY - 2], TACT_NOWAIT), TACT_EIDRM);
	expect_ok(tact_task_sleep(10 * TEST_MS));
	expect_error(tact_mutex_lock(mutexes[MANY - 3], TACT_NOWAIT), TACT_EOWNERDEAD);
}
