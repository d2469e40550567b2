/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suspensions that are not counted, and the end of all of them. */
#include "test.h"

#include <stdatomic.h>

static tact_sem_t sem;
static _Atomic int running;
static _Atomic int go_on;

static void mark_it(void *arg)
{
	mark(arg);
}

static uint32_t count_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info.suspend_count;
}

TASK_TEST(one_resume_undoes_however_many)
{
	tact_task_t task = test_spawn(10, mark_it, "ran");

	expect_ok(tact_task_suspend_once(task));
	for (int i = 0; i < 3; i++)
		expect_eq(tact_task_suspend_once(task), 1);
	expect_eq(count_of(task), 1);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("");
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_marks("ran");
}

TASK_TEST(both_kinds_act_on_one_count)
{
	tact_task_t task = test_spawn(10, mark_it, "ran");

	for (int i = 0; i < 3; i++)
		expect_ok(tact_task_suspend(task));
	expect_eq(tact_task_suspend_once(task), 1);
	expect_eq(count_of(task), 3);
	expect_eq(tact_task_resume_all(task), 3);
	expect_eq(count_of(task), 0);
	expect_ok(tact_task_suspend_once(task));
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_resume(task));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("");
	expect_eq(tact_task_resume_all(task), 1);
	expect_eq(tact_task_resume_all(task), 0);
	expect_error(tact_task_resume(task), TACT_ESRCH);
	test_join(task);
	expect_marks("ran");
}

TASK_TEST(all_undoes_as_many_as_there_can_be)
{
	tact_task_t task = test_spawn(10, mark_it, "ran");

	for (int i = 0; i < 65535; i++)
		expect_ok(tact_task_suspend(task));
	expect_eq(tact_task_suspend_once(task), 1);
	expect_eq(tact_task_resume_all(task), 65535);
	test_join(task);
}

static void suspend_self(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) {
		mark("before");
		expect_ok(tact_task_suspend_once(i ? tact_task_self() : TACT_SELF));
		mark("after");
	}
}

static void suspend_itself_on(uint32_t cpu)
{
	tact_task_t task = test_spawn_on(cpu, 60, suspend_self, NULL);

	for (int i = 0; i < 2; i++) {
		test_until_state(task, TACT_TASK_STATE_SUSPENDED);
		expect_eq(tact_task_resume_all(task), 1);
	}
	test_join(task);
	expect_eq(tact_task_resume_all(TACT_SELF), 0);
	expect_marks("before after before after");
}

TASK_TEST(task_suspends_itself)
{
	suspend_itself_on(0);
}

TASK_TEST_CPUS(2, task_of_another_cpu_suspends_itself)
{
	suspend_itself_on(1);
}

static void wait_and_mark(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("given");
}

TASK_TEST(a_wait_goes_on_under_it_and_is_not_ended)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(60, wait_and_mark, NULL);
	expect_ok(tact_task_suspend_once(task));
	expect_eq(tact_task_resume_all(task), 1);
	expect_marks("");
	expect_ok(tact_task_suspend_once(task));
	expect_ok(tact_sem_post(sem));
	expect_marks("");
	expect_eq(tact_task_resume_all(task), 1);
	expect_marks("given");
	test_join(task);
}

static void act_in_handler(void *arg)
{
	tact_task_t task = *(tact_task_t *)arg;

	expect_ok(tact_task_suspend(task));
	expect_eq(tact_task_suspend_once(task), 1);
	expect_eq(tact_task_resume_all(task), 1);
	expect_eq(tact_task_resume_all(task), 0);
	expect_ok(tact_task_suspend_once(task));
	expect_error(tact_task_suspend_once(TACT_SELF), TACT_EPERM);
	expect_error(tact_task_resume_all(TACT_SELF), TACT_EPERM);
}

static void act_afar(void *arg)
{
	tact_task_t task = *(tact_task_t *)arg;

	/* They are sent. */
	for (int i = 0; i < 2; i++)
		expect_ok(tact_task_suspend_once(task));
	expect_ok(tact_task_resume_all(task));
	for (int i = 0; i < 2; i++)
		expect_ok(tact_task_suspend_once(task));
}

static void by_handler(uint32_t cpu, void (*act)(void *))
{
	struct tact_task_attr attr = {.priority = 10,
				      .flags = TACT_TASK_SUSPENDED | TACT_ON_CPU(cpu)};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, mark_it, "ran", &task));
	expect_eq(tact_task_suspend_once(task), 1);
	expect_eq(tact_task_resume_all(task), 1);
	test_join(task);
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn_on(cpu, 10, wait_and_mark, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	test_in_handler(act, &task);
	settle();
	expect_eq(count_of(task), 1);
	expect_ok(tact_sem_post(sem));
	expect_marks("ran");
	expect_eq(tact_task_resume_all(task), 1);
	test_join(task);
	expect_marks("ran given");
}

TEST(handler_suspends_and_resumes)
{
	by_handler(0, act_in_handler);
}

TEST_CPUS(2, handler_suspends_and_resumes_afar)
{
	by_handler(1, act_afar);
}

static void relax_and_come_back(void *arg)
{
	(void)arg;
	expect_ok(tact_task_relax());
	running = 1;
	while (!go_on)
		tact_compute(TEST_MS / 10);
	mark("linux");
	expect_ok(tact_task_harden());
	mark("back");
}

TEST(task_in_secondary_mode_is_held_when_it_comes_back)
{
	tact_task_t task = test_spawn(10, relax_and_come_back, NULL);

	while (!running)
		expect_ok(tact_task_inquire(task, NULL));
	expect_ok(tact_task_suspend_once(task));
	expect_eq(tact_task_suspend_once(task), 1);
	go_on = 1;
	/* SUSPENDED alone, when it is in primary mode. */
	for (struct tact_task_info info = {0}; info.state != TACT_TASK_STATE_SUSPENDED;)
		expect_ok(tact_task_inquire(task, &info));
	expect_marks("linux");
	expect_eq(tact_task_resume_all(task), 1);
	test_join(task);
	expect_marks("linux back");
}

TASK_TEST(suspended_task_is_deleted)
{
	tact_task_t task = test_spawn(10, mark_it, "not-reached");

	expect_ok(tact_task_suspend_once(task));
	expect_ok(tact_task_delete(task));
	expect_error(tact_task_suspend_once(task), TACT_EIDRM);
	expect_error(tact_task_resume_all(task), TACT_EIDRM);
	expect_marks("");
}
