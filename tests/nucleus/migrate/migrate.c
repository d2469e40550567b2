/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Moving tasks between real-time CPUs, in every state. */
#include "test.h"

#include <unistd.h>

static tact_sem_t sem;

static uint32_t cpu_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info.cpu;
}

static void wait_and_mark(void *arg)
{
	int result = tact_sem_wait(sem, *(tact_timeout_t *)arg);

	mark(result == 0                 ? "given"
	     : result == -TACT_ECANCELED ? "broken"
	     : result == -TACT_EIDRM     ? "deleted"
	     : result == -TACT_ETIMEDOUT ? "timeout"
					 : "other");
}

static void move_self(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < 20; i++) {
		expect_ok(tact_task_migrate(TACT_SELF, (i + 1) % 2));
		expect_eq(cpu_of(tact_task_self()), (i + 1) % 2);
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	}
	mark("moved");
}

TEST_CPUS(2, running_task_moves_itself)
{
	test_join(test_spawn_on(0, 10, move_self, NULL));
	test_join(test_spawn_light(10, move_self, NULL));
	expect_marks("moved moved");
}

static void mark_cpu(void *arg)
{
	(void)arg;
	mark(cpu_of(tact_task_self()) ? "one" : "zero");
}

static void keep_busy(void *arg)
{
	while (!*(volatile bool *)arg)
		tact_compute(10000);
}

/*
 * On a busy machine this thread may have to wait for seconds behind the one that computes, where
 * Linux left it: no watchdog bites that one before.
 */
TEST_UNSTARTED(ready_task_runs_where_it_was_moved_to)
{
	struct tact_config config = {.cpus = 2, .watchdog_ms = 60000};
	char reason[TACT_REASON_BYTES];
	volatile bool stop = false;
	int result = test_start(&config, reason);
	tact_task_t busy, task;

	if (result == -TACT_ENXIO || result == -TACT_EBUSY)
		test_skip(reason);
	expect_ok(result);
	busy = test_spawn_on(0, 20, keep_busy, (void *)&stop);
	task = test_spawn_on(0, 10, mark_cpu, NULL);
	expect_ok(tact_task_migrate(task, 1));
	stop = true;
	test_join(task);
	expect_marks("one");
	test_join(busy);
	expect_ok(tact_stop());
}

TEST_CPUS(2, running_task_is_moved_by_others)
{
	volatile bool stop = false;
	tact_task_t task = test_spawn_on(0, 10, keep_busy, (void *)&stop);
	struct tact_task_info info = {0};

	for (uint32_t i = 0; i < 10; i++) {
		expect_ok(tact_task_migrate(task, (i + 1) % 2));
		expect_eq(cpu_of(task), (i + 1) % 2);
	}
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_READY);
	stop = true;
	test_join(task);
}

static void wait_ends(uint32_t home, uint32_t from, tact_timeout_t timeout, int how)
{
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO | TACT_ON_CPU(home), &sem));
	task = test_spawn_on(from, 10, wait_and_mark, &timeout);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	/* There and back and there again. */
	expect_ok(tact_task_migrate(task, !from));
	expect_ok(tact_task_migrate(task, from));
	expect_ok(tact_task_migrate(task, !from));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.cpu, !from);
	expect_eq(info.state, TACT_TASK_STATE_WAITING);
	expect_same(info.waits_for, sem);
	expect_ok(tact_task_set_priority(task, 40, 0, NULL));
	if (how == 0)
		expect_ok(tact_sem_post(sem));
	else if (how == 1)
		expect_ok(tact_task_unblock(task, 0));
	else if (how == 2)
		expect_ok(tact_sem_delete(sem));
	if (how == 4) {
		expect_ok(tact_task_delete(task));
		while (tact_task_inquire(task, NULL) != -TACT_EIDRM)
			expect_eq(tact_sem_wait(sem, tact_in(TEST_MS)), -TACT_ETIMEDOUT);
	} else {
		test_join(task);
	}
}

static void all_ends(uint32_t home, uint32_t from)
{
	wait_ends(home, from, TACT_FOREVER, 0);
	wait_ends(home, from, TACT_FOREVER, 1);
	wait_ends(home, from, TACT_FOREVER, 2);
	wait_ends(home, from, tact_in(500 * TEST_MS), 3);
	wait_ends(home, from, TACT_FOREVER, 4);
	expect_marks("given broken deleted timeout");
}

TEST_CPUS(2, local_wait_goes_on_after_the_move)
{
	all_ends(0, 0);
}

TEST_CPUS(2, remote_wait_goes_on_after_the_move)
{
	all_ends(1, 0);
}

static void sleep_a_while(void *arg)
{
	tact_time_t until = *(tact_time_t *)arg;

	expect_ok(tact_task_sleep_until(tact_at(until)));
	expect_true(tact_now().ns >= until.ns);
	mark(cpu_of(tact_task_self()) ? "one" : "zero");
}

TEST_CPUS(2, sleeping_task_wakes_on_the_other_cpu)
{
	tact_time_t until = tact_time_add(tact_now(), 500 * TEST_MS);
	tact_task_t task = test_spawn_on(0, 10, sleep_a_while, &until);

	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_task_migrate(task, 1));
	test_join(task);
	expect_marks("one");
}

/* On CPU 1: a task of CPU 0 comes here while a timer of CPU 0's is to wake it. */
static void fetch_sleeper(void *arg)
{
	tact_time_t until = tact_time_add(tact_now(), 300 * TEST_MS);
	tact_task_t task = test_spawn_on(0, 10, sleep_a_while, &until);

	(void)arg;
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_task_migrate(task, 1));
	test_join(task);
}

/* The CPU of the timer anticipates the wake-up, but the woken task is on another CPU. */
TEST_UNSTARTED(timer_of_another_cpu_ends_no_wait_early)
{
	struct tact_config config = {.cpus = 2, .gravity = {.task_ns = 1, .preempt_ns = 200000}};
	char reason[TACT_REASON_BYTES];
	volatile bool stop = false;
	tact_task_t busy = {0};
	int result = test_start(&config, reason);

	if (result == -TACT_ENXIO || result == -TACT_EBUSY)
		test_skip(reason);
	expect_ok(result);
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &sem));
	/* With CPU 0 idle, and computing. */
	for (int i = 0; i < 2; i++) {
		tact_time_t until;

		if (i)
			busy = test_spawn_on(0, 5, keep_busy, (void *)&stop);
		test_join(test_spawn_on(1, 20, fetch_sleeper, NULL));
		until = tact_time_add(tact_now(), 5 * TEST_MS);
		expect_error(tact_sem_wait(sem, tact_at(until)), TACT_ETIMEDOUT);
		expect_true(tact_now().ns >= until.ns);
	}
	stop = true;
	test_join(busy);
	expect_marks("one one");
	expect_ok(tact_stop());
}

TEST_CPUS(2, dormant_and_suspended_tasks_are_moved)
{
	struct tact_task_attr attr = {.flags = TACT_ON_CPU(0)};
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_migrate(task, 1));
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_start(task, mark_cpu, NULL));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_SUSPENDED);
	expect_ok(tact_task_migrate(task, 0));
	expect_ok(tact_task_migrate(task, 1));
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_marks("one");
}

TEST_CPUS(2, moves_are_checked)
{
	struct tact_task_attr attr = {.flags = TACT_ON_CPU(0)};
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	expect_error(tact_task_migrate(task, 2), TACT_ENXIO);
	expect_error(tact_task_migrate((tact_task_t){0x12345}, 1), TACT_EBADF);
	expect_error(tact_task_migrate(TACT_SELF, 1), TACT_EPERM);
	expect_ok(tact_task_migrate(task, 0));
	expect_ok(tact_task_delete(task));
	expect_error(tact_task_migrate(task, 1), TACT_EIDRM);
}

static void ping(void *arg)
{
	(void)arg;
	for (int i = 0; i < 100; i++)
		expect_ok(tact_sem_wait(sem, TEST_LONG));
}

/* Replies, cancellations and new priorities chase a task that never stays. */
TEST_CPUS(2, task_is_moved_while_it_is_served_and_changed)
{
	tact_task_t task[2];

	expect_ok(tact_sem_create(NULL, 0, 1000, TACT_PRIO | TACT_ON_CPU(0), &sem));
	task[0] = test_spawn_on(0, 10, ping, NULL);
	task[1] = test_spawn_on(1, 11, ping, NULL);
	for (uint32_t i = 0; i < 200; i++) {
		expect_ok(tact_sem_post(sem));
		if (i < 60) {
			expect_ok(tact_task_migrate(task[i % 2], i / 2 % 2));
			expect_ok(tact_task_set_priority(task[i % 2], 10 + i % 5, 0, NULL));
		}
	}
	test_join(task[0]);
	test_join(task[1]);
}

static void wait_broken(void *arg)
{
	for (int i = 0; i < 50; i++)
		if (tact_sem_wait(sem, TACT_FOREVER) == -TACT_ECANCELED)
			++*(int *)arg;
}

TEST_CPUS(2, cancellation_finds_a_task_that_moves)
{
	int broken = 0;
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &sem));
	task = test_spawn_on(1, 10, wait_broken, &broken);
	for (uint32_t i = 0; i < 50; i++) {
		int result;

		test_until_state(task, TACT_TASK_STATE_WAITING);
		expect_ok(tact_task_migrate(task, i % 2));
		expect_ok(tact_task_set_priority(task, 10 + i % 3, 0, NULL));
		result = tact_task_unblock(task, 0);
		expect_true(result == 0 || result == -TACT_ESRCH);
		/* After the last one it may have ended. */
		result = tact_task_migrate(task, (i + 1) % 2);
		expect_true(result == 0 || (i == 49 && result == -TACT_EBUSY));
	}
	test_join(task);
	expect_eq(broken, 50);
}

static void wait_in_vain(void *timeout)
{
	expect_error(tact_sem_wait(sem, *(tact_timeout_t *)timeout), TACT_ETIMEDOUT);
}

/* False: the time was up before the task had been moved. */
static bool times_out_after_the_move(uint64_t timeout_ns)
{
	tact_timeout_t timeout = tact_in(timeout_ns);
	tact_task_t task = test_spawn_on(0, 10, wait_in_vain, &timeout);
	struct tact_task_info info = {0};
	volatile bool stop = false;
	tact_task_t busy;
	int result;

	while (!tact_task_inquire(task, &info) &&
	       !(info.state & (TACT_TASK_STATE_WAITING | TACT_TASK_STATE_ENDED)))
		usleep(100);
	busy = test_spawn_on(0, 20, keep_busy, (void *)&stop);
	result = tact_task_migrate(task, 1);
	if (result != -TACT_EBUSY)
		expect_ok(result);
	/* Ends by the timeout alone, while the other task computes and makes no call. */
	test_join(task);
	stop = true;
	test_join(busy);
	return result == 0;
}

/* The object's CPU has the timeout of the wait; the tasks that run there have no influence on it
 * any more. */
TEST_CPUS(2, timeout_is_not_held_up_by_the_cpu_that_was_left)
{
	uint64_t timeout_ns = 5 * TEST_MS;

	/* Its home is CPU 0, where the wait stays. */
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO | TACT_ON_CPU(0), &sem));
	while (!times_out_after_the_move(timeout_ns))
		timeout_ns *= 4;
}
