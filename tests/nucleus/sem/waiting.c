/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for a semaphore: order of service, timeouts, broken waits. */
#include "test.h"

#include <unistd.h>

#include <tactus/skin.h>

static tact_sem_t sem;

struct waiter {
	const char *name;
	tact_timeout_t timeout;
	int result;
};

static void wait_and_mark(void *arg)
{
	struct waiter *waiter = arg;

	waiter->result = tact_sem_wait(sem, waiter->timeout);
	mark(waiter->name);
}

static void three_waiters(uint32_t flags, const char *order)
{
	struct waiter low = {"low", TEST_LONG, -1};
	struct waiter high = {"high", TEST_LONG, -1};
	struct waiter middle = {"middle", TEST_LONG, -1};
	tact_task_t task[3];

	expect_ok(tact_sem_create(NULL, 0, 10, flags, &sem));
	task[0] = test_spawn(10, wait_and_mark, &low);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	task[1] = test_spawn(30, wait_and_mark, &high);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	task[2] = test_spawn(20, wait_and_mark, &middle);
	test_until_state(task[2], TACT_TASK_STATE_WAITING);
	for (int i = 0; i < 3; i++) {
		expect_ok(tact_sem_post(sem));
		/* One at a time, so that the marks show the order of service and not of running. */
		while (strlen(test_marks()) < strlen(order) * (size_t)(i + 1) / 4)
			expect_ok(tact_sem_inquire(sem, NULL));
	}
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks(order);
	expect_eq(low.result, 0);
	expect_eq(high.result, 0);
	expect_eq(middle.result, 0);
}

TEST(waiters_are_served_by_priority)
{
	three_waiters(TACT_PRIO, "high middle low");
}

TEST(waiters_are_served_in_order_of_arrival)
{
	three_waiters(TACT_FIFO, "low high middle");
}

TASK_TEST(relative_timeout_passes)
{
	tact_time_t before = tact_now();

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	expect_error(tact_sem_wait(sem, tact_in(2 * TEST_MS)), TACT_ETIMEDOUT);
	expect_true(tact_now().ns >= before.ns + 2 * TEST_MS);
}

TASK_TEST(absolute_timeout_passes)
{
	tact_time_t until = tact_time_add(tact_now(), 2 * TEST_MS);

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	expect_error(tact_sem_wait(sem, tact_at(until)), TACT_ETIMEDOUT);
	expect_true(tact_now().ns >= until.ns);
}

TASK_TEST(wall_clock_timeout_passes)
{
	tact_time_t until = tact_time_add(tact_wall_now(), 2 * TEST_MS);

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	expect_error(tact_sem_wait(sem, tact_at_wall(until)), TACT_ETIMEDOUT);
	expect_true(tact_wall_now().ns >= until.ns);
}

TASK_TEST(instant_in_the_past_times_out_at_once)
{
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	expect_error(tact_sem_wait(sem, tact_at((tact_time_t){1})), TACT_ETIMEDOUT);
	expect_error(tact_sem_wait(sem, tact_in(0)), TACT_ETIMEDOUT);
}

TASK_TEST(available_unit_is_taken_whatever_the_timeout)
{
	expect_ok(tact_sem_create(NULL, 4, 4, TACT_FIFO, &sem));
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_ok(tact_sem_wait(sem, tact_in(0)));
	expect_ok(tact_sem_wait(sem, tact_at((tact_time_t){1})));
	expect_ok(tact_sem_wait(sem, TACT_FOREVER));
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EAGAIN);
}

TEST(linux_thread_waits_and_times_out)
{
	expect_ok(tact_sem_create(NULL, 1, 1, TACT_FIFO, &sem));
	expect_ok(tact_sem_wait(sem, TACT_FOREVER));
	expect_error(tact_sem_wait(sem, tact_in(2 * TEST_MS)), TACT_ETIMEDOUT);
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EAGAIN);
}

/* Whether there is a unit or not. */
TEST(timeout_of_tasks_refuses_a_linux_thread)
{
	expect_ok(tact_sem_create(NULL, 1, 1, TACT_FIFO, &sem));
	expect_error(tact_sem_wait(sem, TACT_FOREVER_TASK), TACT_EPERM);
	expect_ok(tact_sem_wait(sem, TACT_FOREVER));
	expect_error(tact_sem_wait(sem, TACT_FOREVER_TASK), TACT_EPERM);
}

TEST(timeout_of_tasks_is_none_to_a_task)
{
	struct waiter waiter = {"given", TACT_FOREVER_TASK, 1};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	task = test_spawn(10, wait_and_mark, &waiter);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_eq(waiter.result, 0);
	expect_marks("given");
}

TEST(unblock_breaks_the_wait)
{
	struct waiter waiter = {"woken", TACT_FOREVER, 1};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	task = test_spawn(10, wait_and_mark, &waiter);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(waiter.result, -TACT_ECANCELED);
}

static void wait_on_the_other_cpu(uint32_t flags)
{
	struct waiter waiter = {"served", TEST_LONG, 1};
	struct waiter late = {"late", tact_in(2 * TEST_MS), 1};
	struct waiter broken = {"broken", TACT_FOREVER, 1};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, flags | TACT_ON_CPU(0), &sem));
	task = test_spawn_on(1, 10, wait_and_mark, &waiter);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_eq(waiter.result, 0);
	test_join(test_spawn_on(1, 10, wait_and_mark, &late));
	expect_eq(late.result, -TACT_ETIMEDOUT);
	task = test_spawn_on(1, 10, wait_and_mark, &broken);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(broken.result, -TACT_ECANCELED);
	expect_marks("served late broken");
}

TEST_CPUS(2, task_of_another_cpu_waits)
{
	wait_on_the_other_cpu(TACT_PRIO);
}

struct conditional {
	const uint64_t *word;
	int result;
};

static void wait_while_five(void *arg)
{
	struct conditional *wait = arg;

	wait->result = tact_sem_wait_while(sem, TEST_LONG, wait->word, 5);
	mark(wait->result ? "refused" : "given");
}

static void wait_while_the_word_has_its_value(uint32_t cpu)
{
	struct tact_sem_info info = {0};
	uint64_t word = 5;
	struct conditional wait = {.word = &word};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 2, TACT_FIFO | TACT_ON_CPU(0), &sem));
	task = test_spawn_on(cpu, 10, wait_while_five, &wait);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	/* Asked of the semaphore's CPU: the call is there. */
	do
		expect_ok(tact_sem_inquire(sem, &info));
	while (!info.waiters);
	/* What changes later ends no wait that has begun. */
	word = 6;
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_eq(wait.result, 0);
	test_join(test_spawn_on(cpu, 10, wait_while_five, &wait));
	expect_eq(wait.result, -TACT_ESTALE);
	/* Nor is a unit taken. */
	expect_ok(tact_sem_post(sem));
	test_join(test_spawn_on(cpu, 10, wait_while_five, &wait));
	expect_eq(wait.result, -TACT_ESTALE);
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_error(tact_sem_wait_while(sem, tact_in(2 * TEST_MS), &word, 6), TACT_ETIMEDOUT);
	/* A wait that has begun is broken as any. */
	word = 5;
	task = test_spawn_on(cpu, 10, wait_while_five, &wait);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(wait.result, -TACT_ECANCELED);
	expect_marks("given refused refused refused");
}

TEST(wait_begins_only_while_a_word_has_its_value)
{
	wait_while_the_word_has_its_value(0);
}

TEST_CPUS(2, wait_at_another_cpus_semaphore_begins_only_while_a_word_has_its_value)
{
	wait_while_the_word_has_its_value(1);
}

struct counted {
	int32_t units;
	int result;
};

static void wait_and_count(void *arg)
{
	struct counted *wait = arg;

	wait->units = 77;
	wait->result = tact_sem_wait_units(sem, TEST_LONG, &wait->units);
}

static int count_waiters(void)
{
	struct tact_sem_info info = {0};

	expect_ok(tact_sem_inquire(sem, &info));
	return (int)info.waiters;
}

static void rest(void)
{
	if (tact_task_self().id)
		expect_ok(tact_task_sleep(TEST_MS));
	else
		usleep(1000);
}

static void waits_tell_what_was_there(uint32_t cpu)
{
	struct counted wait[3];
	tact_task_t task[3];
	int32_t units = 0;

	expect_ok(tact_sem_create(NULL, 3, 3, TACT_FIFO | TACT_ON_CPU(0), &sem));
	test_join(test_spawn_on(cpu, 10, wait_and_count, &wait[0]));
	expect_eq(wait[0].units, 3);
	expect_ok(tact_sem_wait_units(sem, TACT_NOWAIT, &units));
	expect_eq(units, 2);
	expect_ok(tact_sem_wait_units(sem, TEST_LONG, &units));
	expect_eq(units, 1);
	expect_error(tact_sem_wait_units(sem, TACT_NOWAIT, &units), TACT_EAGAIN);
	expect_eq(units, 0);
	for (int i = 0; i < 3; i++) {
		task[i] = test_spawn_on(cpu, 10, wait_and_count, &wait[i]);
		while (count_waiters() <= i)
			rest();
	}
	expect_error(tact_sem_wait_units(sem, TACT_NOWAIT, &units), TACT_EAGAIN);
	expect_eq(units, -3);
	units = 5;
	expect_error(tact_sem_wait_units(sem, tact_in(TEST_MS), &units), TACT_ETIMEDOUT);
	expect_eq(units, 5);
	for (int i = 0; i < 2; i++) {
		expect_ok(tact_sem_post(sem));
		test_join(task[i]);
		expect_eq(wait[i].result, 0);
		expect_eq(wait[i].units, i - 2);
	}
	expect_ok(tact_sem_delete(sem));
	test_join(task[2]);
	expect_eq(wait[2].result, -TACT_EIDRM);
	expect_eq(wait[2].units, 77);
}

TEST(waits_tell_the_units_or_the_waiters)
{
	waits_tell_what_was_there(0);
}

TEST_CPUS(2, waits_at_another_cpus_semaphore_tell_the_units_or_the_waiters)
{
	waits_tell_what_was_there(1);
}
