/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Deleting a semaphore: waiters are told, the handle goes stale, the name is free again. */
#include "test.h"

#include <tactus/registry.h>
#include <tactus/skin.h>

static tact_sem_t sem;

static void wait_and_mark(void *arg)
{
	(void)arg;
	mark(tact_sem_wait(sem, TEST_LONG) == -TACT_EIDRM ? "told" : "not-told");
}

TEST_CPUS(2, waiters_on_both_cpus_are_told)
{
	tact_task_t here;
	tact_task_t there;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	here = test_spawn_on(0, 10, wait_and_mark, NULL);
	there = test_spawn_on(1, 10, wait_and_mark, NULL);
	test_until_state(here, TACT_TASK_STATE_WAITING);
	test_until_state(there, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_delete(sem));
	test_join(here);
	test_join(there);
	expect_marks("told told");
}

TASK_TEST(stale_handle_is_known_as_such)
{
	const uint64_t word = 0;
	int32_t units;
	tact_sem_t next;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	expect_ok(tact_sem_delete(sem));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &next));
	expect_error(tact_sem_post(sem), TACT_EIDRM);
	expect_error(tact_sem_wait(sem, TACT_FOREVER), TACT_EIDRM);
	expect_error(tact_sem_wait_while(sem, TACT_FOREVER, &word, 0), TACT_EIDRM);
	expect_error(tact_sem_wait_units(sem, TACT_FOREVER, &units), TACT_EIDRM);
	expect_error(tact_sem_delete(sem), TACT_EIDRM);
	expect_error(tact_sem_inquire(sem, NULL), TACT_EIDRM);
	expect_error(tact_delete(tact_object(sem)), TACT_EIDRM);
	expect_ok(tact_delete(tact_object(next)));
}

TASK_TEST_CPUS(2, name_is_free_after_deletion)
{
	tact_object_t found;

	for (int i = 0; i < 2; i++) {
		expect_ok(tact_sem_create("again", 0, 1, TACT_ON_CPU(1), &sem));
		expect_error(tact_sem_create("again", 0, 1, TACT_FIFO, NULL), TACT_EEXIST);
		expect_ok(tact_sem_delete(sem));
		expect_error(tact_find("again", TACT_NOWAIT, &found), TACT_EAGAIN);
	}
}
