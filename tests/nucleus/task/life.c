/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task from creation to the join: every way to begin and to end, every code of the calls. */
#include "test.h"

static tact_sem_t never;

static void nothing(void *arg)
{
	(void)arg;
}

static void mark_it(void *arg)
{
	mark(arg);
}

static void exit_early(void *arg)
{
	mark(arg);
	tact_task_exit();
}

static void wait_for_ever(void *arg)
{
	(void)arg;
	(void)tact_sem_wait(never, TACT_FOREVER);
}

TASK_TEST(created_task_is_dormant_until_it_is_started)
{
	struct tact_task_attr attr = {.priority = 60};
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_DORMANT);
	expect_ok(tact_task_start(task, mark_it, "ran"));
	expect_marks("ran");
	test_join(task);
	expect_error(tact_task_start(task, mark_it, "again"), TACT_EIDRM);
}

TASK_TEST(started_task_cannot_be_started_again)
{
	struct tact_task_attr attr = {.priority = 10};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, nothing, NULL, &task));
	expect_error(tact_task_start(task, nothing, NULL), TACT_EBUSY);
	expect_error(tact_task_start(tact_task_self(), nothing, NULL), TACT_EBUSY);
	test_join(task);
	expect_ok(tact_task_create(&attr, &task));
	expect_error(tact_task_start(task, NULL, NULL), TACT_EINVAL);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(results_that_are_not_wanted_are_not_given)
{
	expect_ok(tact_task_create(NULL, NULL));
	expect_ok(tact_task_spawn(NULL, nothing, NULL, NULL));
	expect_ok(tact_task_inquire(TACT_SELF, NULL));
	expect_ok(tact_task_get_sched(TACT_SELF, NULL));
	expect_ok(tact_task_set_priority(TACT_SELF, 51, 0, NULL));
	expect_error(tact_task_spawn(NULL, NULL, NULL, NULL), TACT_EINVAL);
}

TASK_TEST(task_that_is_created_suspended_starts_when_resumed)
{
	struct tact_task_attr attr = {.priority = 60, .flags = TACT_TASK_SUSPENDED};
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, mark_it, "ran", &task));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_SUSPENDED);
	expect_eq(info.suspend_count, 1);
	expect_marks("");
	expect_ok(tact_task_resume(task));
	expect_marks("ran");
	test_join(task);
}

TASK_TEST(exit_ends_the_task_there)
{
	tact_task_t task = test_spawn(60, exit_early, "out");

	expect_marks("out");
	test_join(task);
}

TASK_TEST(join_tells_how_it_went)
{
	tact_task_t task = test_spawn(40, nothing, NULL);

	expect_error(tact_task_join(task, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_task_join(task, TACT_FOREVER));
	expect_error(tact_task_join(task, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_task_join(tact_task_self(), TACT_NOWAIT), TACT_EDEADLK);
	expect_error(tact_task_join(TACT_SELF, TACT_NOWAIT), TACT_EDEADLK);
	expect_error(tact_task_join((tact_task_t){0x7fffffff}, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_task_join(task, ((tact_timeout_t){0, 9})), TACT_EINVAL);
}

TASK_TEST(join_of_a_task_that_has_ended_does_not_wait)
{
	tact_task_t task = test_spawn(60, nothing, NULL);

	expect_ok(tact_task_join(task, TACT_NOWAIT));
}

static void join_it(void *arg)
{
	int result = tact_task_join(*(tact_task_t *)arg, TACT_FOREVER);

	mark(result == 0 ? "joined" : result == -TACT_ECANCELED ? "broken" : "other");
}

TASK_TEST(second_joiner_is_refused_and_the_first_can_be_broken)
{
	tact_task_t task;
	tact_task_t joiner;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &never));
	task = test_spawn(60, wait_for_ever, NULL);
	joiner = test_spawn(60, join_it, &task);
	expect_error(tact_task_join(task, TACT_NOWAIT), TACT_EBUSY);
	expect_ok(tact_task_unblock(joiner, 0));
	expect_marks("broken");
	test_join(joiner);
	expect_error(tact_task_join(task, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	joiner = test_spawn(60, join_it, &task);
	expect_ok(tact_task_delete(task));
	expect_marks("broken joined");
	test_join(joiner);
}

static int volatile *volatile nowhere;

static void sleep_some(void *arg)
{
	(void)arg;
	expect_ok(tact_task_sleep(TEST_MS / 10));
}

TASK_TEST(detached_task_cannot_be_joined_and_its_handle_goes_by_itself)
{
	struct tact_task_attr attr = {.priority = 40, .flags = TACT_TASK_NO_JOIN};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, nothing, NULL, &task));
	expect_error(tact_task_join(task, TACT_FOREVER), TACT_EINVAL);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_error(tact_task_inquire(task, NULL), TACT_EIDRM);
}

static void fault(void *arg)
{
	(void)arg;
	*nowhere = 1;
}

static void ended_is_told(uint32_t cpu)
{
	struct tact_task_info info = {0};
	tact_task_t task = test_spawn_on(cpu, 60, sleep_some, NULL);

	test_until_state(task, TACT_TASK_STATE_ENDED);
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_ENDED);
	expect_eq(info.base_priority, 60);
	expect_eq(info.cpu, cpu);
	expect_true(info.switches >= 2);
	expect_eq(info.linux_tid, 0);
	expect_none(info.waits_for);
	expect_eq(info.stack_used_bytes, 0);
	test_join(task);
	expect_error(tact_task_inquire(task, &info), TACT_EIDRM);
}

TASK_TEST(ended_task_is_told_of_until_it_is_joined)
{
	ended_is_told(0);
}

TEST_CPUS(2, ended_task_of_another_cpu_is_told_of)
{
	for (int i = 0; i < 20; i++)
		ended_is_told(1);
}

/* The handle's home is not where it ended. */
TEST_CPUS(2, ended_task_that_had_moved_is_told_of)
{
	struct tact_task_info info = {0};

	for (int i = 0; i < 50; i++) {
		tact_task_t task = test_spawn_on(0, 60, sleep_some, NULL);
		int result = tact_task_migrate(task, 1);

		/* It may already have ended. */
		expect_true(result == 0 || result == -TACT_EBUSY);
		while (!(info.state & TACT_TASK_STATE_ENDED))
			expect_ok(tact_task_inquire(task, &info));
		expect_eq(info.cpu, result ? 0 : 1);
		info.state = 0;
		test_join(task);
	}
}

TEST(task_ended_by_a_fault_is_told_of)
{
	struct tact_task_info info = {0};
	tact_task_t task;

	if (test_on_sim())
		test_skip("a fault is the simulation's there: see tests/nucleus/fault");
	task = test_spawn_light(60, fault, NULL);
	test_until_state(task, TACT_TASK_STATE_ENDED);
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_ENDED | TACT_TASK_STATE_FAULTED);
	expect_true(info.faults >= 1);
	expect_eq(tact_task_join(task, TACT_NOWAIT), 1);
}

TASK_TEST(ended_task_that_nobody_joined_is_busy)
{
	tact_task_t task = test_spawn(60, nothing, NULL);

	expect_error(tact_task_suspend(task), TACT_EBUSY);
	expect_error(tact_task_resume(task), TACT_EBUSY);
	expect_error(tact_task_set_priority(task, 5, 0, NULL), TACT_EBUSY);
	expect_error(tact_task_migrate(task, 0), TACT_EBUSY);
	expect_error(tact_task_start(task, nothing, NULL), TACT_EBUSY);
	expect_ok(tact_task_delete(task));
	expect_error(tact_task_delete(task), TACT_EIDRM);
}

static void join_in_handler(void *arg)
{
	*(int *)arg = tact_task_join((tact_task_t){0x40001}, TACT_FOREVER);
}

TEST(handler_may_not_join)
{
	int result = 0;

	test_in_handler(join_in_handler, &result);
	expect_error(result, TACT_EPERM);
}

static void report_self(void *arg)
{
	*(tact_task_t *)arg = tact_task_self();
}

TEST(linux_thread_starts_joins_and_is_no_task)
{
	tact_task_t seen = {0};
	tact_task_t task = test_spawn(10, report_self, &seen);

	expect_ok(tact_task_join(task, TACT_FOREVER));
	expect_same(seen, task);
	expect_none(tact_task_self());
	expect_error(tact_task_suspend(TACT_SELF), TACT_EPERM);
	expect_error(tact_task_yield(), TACT_EPERM);
	expect_error(tact_task_lock_scheduler(), TACT_EPERM);
	expect_error(tact_task_sleep(1), TACT_EPERM);
	expect_error(tact_task_delete(TACT_SELF), TACT_EPERM);
	expect_error(tact_task_wait_period(NULL, NULL), TACT_EPERM);
	expect_error(tact_task_relax(), TACT_EPERM);
	expect_error(tact_task_harden(), TACT_EPERM);
	expect_error(tact_task_detach(), TACT_EPERM);
}
