/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks in secondary mode, where the simulation plays Linux. */
#include "exact.h"

#include <hal/sim.h>
#include <tactus/skin.h>

static tact_sem_t sem;

static void call_linux_and_wait(void *arg)
{
	(void)arg;
	mark("primary");
	expect_ok(hal_sim_linux_call(1, 5 * TEST_MS));
	mark("linux");
	(void)tact_sem_wait(sem, TACT_FOREVER);
	mark("not-reached");
}

static void call_linux(void *arg)
{
	expect_ok(hal_sim_linux_call(1, 5 * TEST_MS));
	mark(arg);
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	mark("back");
}

TEST(task_deleted_in_secondary_mode_ends_when_it_calls_in)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(10, call_linux_and_wait, NULL);
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	expect_ok(tact_task_delete(task));
	/* Marked; its thread is Linux's until it comes back. */
	expect_ok(tact_task_inquire(task, NULL));
	while (tact_task_inquire(task, NULL) != -TACT_EIDRM)
		expect_ok(hal_sim_linux_call(1, TEST_MS));
	expect_marks("primary linux");
}

TEST(suspension_in_secondary_mode_acts_at_the_return)
{
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	task = test_spawn(10, call_linux, "linux");
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	expect_ok(tact_task_suspend(task));
	do {
		expect_ok(hal_sim_linux_call(1, TEST_MS));
		expect_ok(tact_task_inquire(task, &info));
	} while (info.state & TACT_TASK_STATE_RELAXED);
	expect_marks("linux");
	expect_eq(info.state, TACT_TASK_STATE_SUSPENDED);
	expect_eq(info.mode_switches, 1);
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_marks("linux back");
}

TEST(task_joined_while_in_secondary_mode)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	task = test_spawn(10, call_linux, "linux");
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	test_join(task);
	expect_marks("linux back");
}

static void busy(void *arg)
{
	(void)arg;
	tact_compute(30 * TEST_MS);
}

/* While one is in Linux, the CPU belongs to the others. */
TEST(others_run_while_a_task_is_in_secondary_mode)
{
	tact_task_t task;
	tact_task_t other;
	struct tact_task_info info = {0};

	if (!test_exact())
		test_skip("instants are virtual time's");
	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	task = test_spawn(20, call_linux, "linux");
	other = test_spawn(10, busy, NULL);
	test_join(task);
	expect_ok(tact_task_inquire(other, &info));
	expect_true(info.run_ns >= 4 * TEST_MS);
	test_join(other);
}

TEST_CPUS(2, task_in_secondary_mode_migrates_and_returns_on_the_other_cpu)
{
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn_on(0, 10, call_linux, "linux");
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	expect_ok(tact_task_migrate(task, 1));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.cpu, 1);
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_marks("linux back");
}

static void many_switches(void *arg)
{
	(void)arg;
	for (int i = 0; i < 50; i++) {
		expect_ok(hal_sim_linux_call(1, 100));
		expect_ok(tact_task_sleep(1000));
	}
}

/* Many at once, so that shadows resume while their CPU is in the middle of something else. */
TEST_CPUS(2, many_tasks_switch_modes_at_once)
{
	tact_task_t task[8];

	for (uint32_t i = 0; i < 8; i++)
		task[i] = test_spawn_on(i % 2, 10 + i, many_switches, NULL);
	for (int i = 0; i < 20; i++) {
		int result = tact_task_migrate(task[i % 8], (uint32_t)i / 2 % 2);

		/* With a seed it may already have ended. */
		expect_true(result == 0 || result == -TACT_EBUSY);
		expect_ok(hal_sim_linux_call(1, 3000));
	}
	for (int i = 0; i < 8; i++)
		test_join(task[i]);
}

static void stray(void *arg)
{
	(void)arg;
	(void)hal_sim_linux_call(39, 0);
	mark("not-reached");
}

TEST(fault_is_told_to_whoever_joins)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_NO_LINUX};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, stray, NULL, &task));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	task = test_spawn_light(10, stray, NULL);
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_marks("");
}

static void attach_here(void *arg)
{
	struct tact_task_info info = {0};
	tact_task_t task;

	(void)arg;
	expect_ok(
		tact_task_attach(&(struct tact_task_attr){.name = "guest", .priority = 20}, &task));
	expect_same(tact_task_self(), task);
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_error(tact_task_attach(NULL, NULL), TACT_EBUSY);
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_str(info.name, "guest");
	expect_eq(info.stack_bytes, 0);
	expect_ok(hal_sim_linux_call(1, 1000));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_task_detach());
	expect_none(tact_task_self());
	expect_eq(tact_mode(), TACT_MODE_NONE);
	expect_error(tact_task_inquire(task, NULL), TACT_EIDRM);
	mark("guest-left");
}

TEST(linux_thread_becomes_a_task_and_goes_again)
{
	struct hal_sim_thread *thread;

	expect_ok(hal_sim_thread_start(&thread, attach_here, NULL, "guest"));
	hal_sim_thread_join(thread);
	expect_marks("guest-left");
}

static void created_may_not_go(void *arg)
{
	*(int *)arg = tact_task_detach();
}

TEST(created_task_cannot_be_detach)
{
	int result = 0;

	test_join(test_spawn(10, created_may_not_go, &result));
	expect_error(result, TACT_EPERM);
}

static void note_and_call_in(void *arg)
{
	/* To secondary mode, and back by a call that finds the CPU taken. */
	expect_ok(hal_sim_linux_call(1, TEST_MS));
	*(const void **)arg = hal_sim_owner();
	expect_ok(tact_sem_post(sem));
	mark("posted");
}

static void compute_long(void *arg)
{
	(void)arg;
	tact_compute(20 * TEST_MS);
	mark("busy");
}

static void mark_handlers(uint64_t pending)
{
	mark(pending ? "told of some" : "told");
}

static void mark_woken(void *arg)
{
	expect_ok(hal_sim_linux_call(1, TEST_MS));
	*(const void **)arg = hal_sim_owner();
	mark(tact_sem_wait(sem, TEST_LONG) == -TACT_EINTR ? "broken" : "served");
}

/* Before the task continues, and only for a signal. */
TEST(the_hook_hears_of_a_signal_that_brings_a_task_to_linux)
{
	const void *owner = NULL;
	tact_task_t task;

	tact_on_handlers(mark_handlers);
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(10, note_and_call_in, &owner);
	test_join(task);
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	task = test_spawn(10, mark_woken, &owner);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	while (hal_sim_signal(owner) == -TACT_EAGAIN)
		expect_ok(hal_sim_linux_call(1, 1000));
	test_join(task);
	tact_on_handlers(NULL);
	expect_marks("posted told broken");
}

/* The signal is handled in secondary mode, and the way back begins again. */
TEST(signal_finds_a_task_that_came_back_and_has_not_run_yet)
{
	const void *owner = NULL;
	tact_task_t task;
	tact_task_t busy;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(10, note_and_call_in, &owner);
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	busy = test_spawn(20, compute_long, NULL);
	while (!owner)
		expect_ok(hal_sim_linux_call(1, TEST_MS / 10));
	test_until_state(task, TACT_TASK_STATE_READY);
	while (hal_sim_signal(owner) == -TACT_EAGAIN)
		expect_ok(hal_sim_linux_call(1, 1000));
	test_join(busy);
	test_join(task);
	expect_marks("busy posted");
}

static void wait_quietly(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
}

static void broadcast_and_compute(void *arg)
{
	expect_eq(tact_sem_broadcast(sem), 7);
	compute_long(arg);
}

/* The last waiters of a large broadcast are told when no more urgent task runs; but signals are
 * due. The result of the wait is as without them. */
TEST(signal_does_not_wait_until_a_broadcast_has_come_to_its_task)
{
	const void *owner = NULL;
	tact_task_t task;
	tact_task_t busy;

	tact_on_handlers(mark_handlers);
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	for (int i = 0; i < 6; i++)
		test_until_state(test_spawn_light(10, wait_quietly, NULL), TACT_TASK_STATE_WAITING);
	task = test_spawn(10, mark_woken, &owner);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	busy = test_spawn(20, broadcast_and_compute, NULL);
	test_until_state(busy, TACT_TASK_STATE_READY);
	while (hal_sim_signal(owner) == -TACT_EAGAIN)
		expect_ok(hal_sim_linux_call(1, 1000));
	test_join(busy);
	test_join(task);
	tact_on_handlers(NULL);
	/* In secondary mode it needs no turn on its CPU. */
	expect_marks("told served busy");
}
