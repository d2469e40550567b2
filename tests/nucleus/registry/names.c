/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The registry: finding, waiting for a name, and what it refuses. */
#include "test.h"

static void find_and_mark(void *arg)
{
	tact_object_t found = {0};
	int result = tact_find(arg, TEST_LONG, &found);

	if (result == 0)
		expect_ok(tact_sem_post((tact_sem_t){found.id}));
	mark(result == 0 ? "found" : result == -TACT_ECANCELED ? "broken" : "other");
}

TASK_TEST(name_that_is_there_is_found_at_once)
{
	tact_sem_t sem;
	tact_object_t found;

	expect_ok(tact_sem_create("gate", 0, 1, 0, &sem));
	expect_ok(tact_find("gate", TACT_NOWAIT, &found));
	expect_same(found, sem);
	expect_ok(tact_find("gate", TACT_FOREVER, NULL));
	expect_ok(tact_sem_delete(sem));
	expect_error(tact_find("gate", TACT_NOWAIT, &found), TACT_EAGAIN);
}

TEST_CPUS(2, all_who_wait_for_a_name_get_it)
{
	tact_task_t here = test_spawn_on(0, 10, find_and_mark, "gate");
	tact_task_t there = test_spawn_on(1, 10, find_and_mark, "gate");
	tact_task_t other = test_spawn_on(1, 10, find_and_mark, "door");
	tact_sem_t sem;

	test_until_state(here, TACT_TASK_STATE_WAITING);
	test_until_state(there, TACT_TASK_STATE_WAITING);
	test_until_state(other, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_create("gate", 0, 5, TACT_ON_CPU(1), &sem));
	test_join(here);
	test_join(there);
	expect_marks("found found");
	expect_ok(tact_task_unblock(other, 0));
	test_join(other);
	expect_marks("found found broken");
}

static uint64_t pool_used(void)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(0, &info));
	return info.pool_used_bytes;
}

/* A name that is only waited for is none: it can be taken, and leaves nothing behind. */
TASK_TEST(wanted_names_come_and_go)
{
	tact_task_t finder[2];
	uint64_t used;
	tact_sem_t sem;

	finder[0] = test_spawn(TEST_PRIORITY + 1, find_and_mark, "gate");
	finder[1] = test_spawn(TEST_PRIORITY + 1, find_and_mark, "gate");
	test_until_state(finder[0], TACT_TASK_STATE_WAITING);
	test_until_state(finder[1], TACT_TASK_STATE_WAITING);
	expect_error(tact_find("gate", TACT_NOWAIT, NULL), TACT_EAGAIN);
	used = pool_used();
	expect_error(tact_find("gate", tact_in(TEST_MS), NULL), TACT_ETIMEDOUT);
	expect_error(tact_find("door", tact_in(TEST_MS), NULL), TACT_ETIMEDOUT);
	expect_error(tact_find("door", tact_at((tact_time_t){1}), NULL), TACT_ETIMEDOUT);
	expect_error(tact_find("door", TACT_NOWAIT, NULL), TACT_EAGAIN);
	expect_eq(pool_used(), used);
	expect_ok(tact_task_unblock(finder[0], 0));
	test_join(finder[0]);
	expect_ok(tact_sem_create("gate", 0, 5, 0, &sem));
	test_join(finder[1]);
	expect_marks("broken found");
	expect_error(tact_sem_create("gate", 0, 5, 0, NULL), TACT_EEXIST);
	expect_ok(tact_sem_delete(sem));
	expect_error(tact_find("gate", tact_in(TEST_MS), NULL), TACT_ETIMEDOUT);
	expect_ok(tact_sem_create("gate", 0, 5, 0, NULL));
}

TASK_TEST(waiting_for_a_name_times_out)
{
	expect_error(tact_find("nowhere", tact_in(TEST_MS), NULL), TACT_ETIMEDOUT);
	expect_error(tact_find("nowhere", tact_at((tact_time_t){1}), NULL), TACT_ETIMEDOUT);
	expect_error(tact_find("nowhere", TACT_NOWAIT, NULL), TACT_EAGAIN);
}

TEST(linux_thread_waits_for_a_name)
{
	expect_error(tact_find("nowhere", tact_in(TEST_MS), NULL), TACT_ETIMEDOUT);
	expect_ok(tact_task_create(&(struct tact_task_attr){.name = "axis"}, NULL));
	expect_ok(tact_find("axis", TACT_FOREVER, NULL));
}

TASK_TEST(names_are_checked)
{
	expect_error(tact_find(NULL, TACT_NOWAIT, NULL), TACT_EINVAL);
	expect_error(tact_find("", TACT_NOWAIT, NULL), TACT_EINVAL);
	expect_error(tact_find("a name that is longer than names are", TACT_NOWAIT, NULL),
		     TACT_EINVAL);
	expect_error(tact_find("name", (tact_timeout_t){0, 7}, NULL), TACT_EINVAL);
	/* 31 bytes and the terminating zero are the longest. */
	expect_ok(tact_sem_create("0123456789012345678901234567890", 0, 1, 0, NULL));
	expect_ok(tact_find("0123456789012345678901234567890", TACT_NOWAIT, NULL));
	expect_error(tact_find("012345678901234567890123456789", TACT_NOWAIT, NULL), TACT_EAGAIN);
}

static void find_in_handler(void *arg)
{
	int *result = arg;

	result[0] = tact_find("gate", TACT_NOWAIT, NULL);
	result[1] = tact_find("gate", TACT_FOREVER, NULL);
	result[2] = tact_find("door", TACT_NOWAIT, NULL);
}

TEST(handler_finds_but_does_not_wait)
{
	int result[3];

	expect_ok(tact_sem_create("gate", 0, 1, 0, NULL));
	test_in_handler(find_in_handler, result);
	expect_ok(result[0]);
	expect_error(result[1], TACT_EPERM);
	expect_error(result[2], TACT_EAGAIN);
}

TASK_TEST(wanting_needs_memory)
{
	uint64_t tiny = 0;
	tact_sem_t sem;

	/* Until not even the smallest object fits. */
	while (!tact_sem_create(NULL, 0, 1, 0, &sem))
		tiny++;
	expect_true(tiny > 0);
	expect_error(tact_find("gate", TACT_FOREVER, NULL), TACT_ENOMEM);
	expect_error(tact_find("gate", TACT_NOWAIT, NULL), TACT_EAGAIN);
}

TEST_UNSTARTED(finding_wants_a_start)
{
	expect_error(tact_find("gate", TACT_NOWAIT, NULL), TACT_EPERM);
}

TASK_TEST(many_names_come_and_go)
{
	for (int round = 0; round < 2; round++) {
		tact_sem_t sem[500];

		for (int i = 0; i < 500; i++) {
			char name[16] = {'n', (char)('a' + i / 100), (char)('a' + i / 10 % 10),
					 (char)('a' + i % 10)};
			tact_object_t found;

			expect_ok(tact_sem_create(name, 0, 1, 0, &sem[i]));
			expect_ok(tact_find(name, TACT_NOWAIT, &found));
			expect_same(found, sem[i]);
		}
		for (int i = 0; i < 500; i++)
			expect_ok(tact_sem_delete(sem[i]));
	}
	expect_error(tact_find("naaa", TACT_NOWAIT, NULL), TACT_EAGAIN);
}
