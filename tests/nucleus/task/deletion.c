/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task can be deleted in every state, from everywhere, and its stack and handle come back. */
#include "test.h"

static tact_sem_t sem;

static void mark_it(void *arg)
{
	mark(arg);
}

static void wait_for_ever(void *arg)
{
	(void)arg;
	(void)tact_sem_wait(sem, TACT_FOREVER);
	mark("not-reached");
}

static void sleep_for_ever(void *arg)
{
	(void)arg;
	(void)tact_task_sleep_until(TACT_FOREVER);
	mark("not-reached");
}

static void compute_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		tact_compute(TEST_MS / 100);
}

static void delete_self(void *arg)
{
	(void)arg;
	(void)tact_task_delete(TACT_SELF);
	mark("not-reached");
}

static void delete_self_by_handle(void *arg)
{
	(void)arg;
	(void)tact_delete(tact_object(tact_task_self()));
	mark("not-reached");
}

static void expect_gone(tact_task_t task)
{
	expect_error(tact_task_inquire(task, NULL), TACT_EIDRM);
	expect_error(tact_task_delete(task), TACT_EIDRM);
	expect_error(tact_task_resume(task), TACT_EIDRM);
	expect_error(tact_task_unblock(task, 0), TACT_EIDRM);
	expect_error(tact_task_set_flags(task, 0, 0), TACT_EIDRM);
}

TASK_TEST(ready_task_is_deleted)
{
	tact_task_t task = test_spawn(10, mark_it, "not-reached");

	expect_ok(tact_task_delete(task));
	expect_gone(task);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("");
}

TASK_TEST(dormant_task_is_deleted)
{
	tact_task_t task;

	expect_ok(tact_task_create(NULL, &task));
	expect_ok(tact_delete(tact_object(task)));
	expect_gone(task);
}

TASK_TEST(waiting_task_is_deleted_and_its_place_in_the_queue_goes)
{
	struct tact_sem_info info = {0};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(60, wait_for_ever, NULL);
	expect_ok(tact_task_delete(task));
	expect_gone(task);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, 0);
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.value, 1);
	expect_marks("");
}

TASK_TEST(sleeping_task_is_deleted)
{
	tact_task_t task = test_spawn(60, sleep_for_ever, NULL);

	expect_ok(tact_task_delete(task));
	expect_gone(task);
	expect_marks("");
}

TASK_TEST(suspended_task_is_deleted_also_in_a_wait)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(10, mark_it, "not-reached");
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_delete(task));
	expect_gone(task);
	task = test_spawn(60, wait_for_ever, NULL);
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_delete(task));
	expect_gone(task);
	expect_marks("");
}

TASK_TEST(running_task_deletes_itself)
{
	tact_task_t task = test_spawn(60, delete_self, NULL);

	expect_gone(task);
	task = test_spawn(60, delete_self_by_handle, NULL);
	expect_gone(task);
	expect_marks("");
}

TEST(linux_thread_deletes_a_running_task)
{
	tact_task_t task = test_spawn(10, compute_for_ever, NULL);

	expect_ok(tact_task_delete(task));
	expect_gone(task);
}

static void delete_on(uint32_t cpu)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn_on(cpu, 10, compute_for_ever, NULL);
	expect_ok(tact_task_delete(task));
	expect_gone(task);
	task = test_spawn_on(cpu, 10, wait_for_ever, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete(task));
	while (tact_task_inquire(task, NULL) != -TACT_EIDRM)
		expect_ok(tact_task_sleep(TEST_MS / 10));
	task = test_spawn_on(cpu, 10, sleep_for_ever, NULL);
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_task_delete(task));
	expect_gone(task);
	expect_marks("");
}

TASK_TEST_CPUS(2, task_of_another_cpu_is_deleted)
{
	delete_on(1);
}

static void delete_in_handler(void *arg)
{
	const tact_task_t task = *(tact_task_t *)arg;

	expect_error(tact_task_delete(task), TACT_EPERM);
	expect_error(tact_delete(tact_object(task)), TACT_EPERM);
}

TASK_TEST(handler_may_not_delete)
{
	tact_task_t task;

	expect_ok(tact_task_create(NULL, &task));
	test_in_handler(delete_in_handler, &task);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(handle_of_a_deleted_task_stays_stale_when_its_block_is_reused)
{
	tact_task_t old[64];
	tact_task_t task;

	for (int i = 0; i < 64; i++) {
		expect_ok(tact_task_create(NULL, &old[i]));
		expect_ok(tact_task_delete(old[i]));
	}
	expect_ok(tact_task_create(NULL, &task));
	for (int i = 0; i < 64; i++) {
		expect_true(!tact_same(old[i], task));
		expect_error(tact_task_start(old[i], mark_it, NULL), TACT_EIDRM);
	}
	expect_ok(tact_task_inquire(task, NULL));
	expect_error(tact_task_delete((tact_task_t){0x12345}), TACT_EBADF);
	expect_error(tact_task_start((tact_task_t){0xfffffffe}, mark_it, NULL), TACT_EBADF);
}
