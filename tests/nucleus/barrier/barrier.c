/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Barriers: which call opens them, which callers are counted, how waits end. */
#include "test.h"

static tact_barrier_t barrier;

static void arrive(void *result)
{
	*(int *)result = tact_barrier_wait(barrier, TEST_LONG);
}

static tact_task_t spawn_arrival(uint32_t cpu, int *result)
{
	tact_task_t task = test_spawn_on(cpu, 10, arrive, result);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static struct tact_barrier_info info_now(void)
{
	struct tact_barrier_info info = {0};

	expect_ok(tact_barrier_inquire(barrier, &info));
	return info;
}

TEST_CPUS(2, last_arrival_opens_again_and_again)
{
	int result[2];
	tact_task_t task[2];

	expect_ok(tact_barrier_create("gate", 3, TACT_PRIO | TACT_ON_CPU(0), &barrier));
	for (uint64_t round = 1; round <= 3; round++) {
		task[0] = spawn_arrival(0, &result[0]);
		task[1] = spawn_arrival(1, &result[1]);
		expect_eq(info_now().waiters, 2);
		expect_eq(tact_barrier_wait(barrier, TACT_NOWAIT), 1);
		test_join(task[0]);
		test_join(task[1]);
		expect_eq(result[0], 0);
		expect_eq(result[1], 0);
		expect_eq(info_now().rounds, round);
		expect_eq(info_now().waiters, 0);
	}
	expect_str(info_now().name, "gate");
	expect_eq(info_now().count, 3);
}

TASK_TEST(count_of_one_never_waits)
{
	expect_ok(tact_barrier_create(NULL, 1, 0, &barrier));
	expect_eq(tact_barrier_wait(barrier, TACT_FOREVER), 1);
	expect_eq(tact_barrier_wait(barrier, TACT_NOWAIT), 1);
}

TEST(who_times_out_is_taken_back)
{
	int result;
	tact_task_t task;

	expect_ok(tact_barrier_create(NULL, 2, 0, &barrier));
	expect_error(tact_barrier_wait(barrier, tact_in(2 * TEST_MS)), TACT_ETIMEDOUT);
	expect_error(tact_barrier_wait(barrier, tact_at((tact_time_t){1})), TACT_ETIMEDOUT);
	expect_error(tact_barrier_wait(barrier, TACT_NOWAIT), TACT_EAGAIN);
	expect_eq(info_now().waiters, 0);
	task = spawn_arrival(0, &result);
	expect_eq(info_now().waiters, 1);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(result, -TACT_ECANCELED);
	expect_eq(info_now().waiters, 0);
	expect_eq(info_now().rounds, 0);
}

TEST(flush_and_deletion_break_waits)
{
	int result;
	tact_task_t task;

	expect_ok(tact_barrier_create(NULL, 2, 0, &barrier));
	task = spawn_arrival(0, &result);
	expect_eq(tact_barrier_flush(barrier), 1);
	test_join(task);
	expect_eq(result, -TACT_ECANCELED);
	task = spawn_arrival(0, &result);
	expect_ok(tact_barrier_delete(barrier));
	test_join(task);
	expect_eq(result, -TACT_EIDRM);
	expect_error(tact_barrier_wait(barrier, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_barrier_flush(barrier), TACT_EIDRM);
	expect_error(tact_barrier_inquire(barrier, NULL), TACT_EIDRM);
	expect_error(tact_barrier_delete(barrier), TACT_EIDRM);
}

TASK_TEST(arguments_are_checked)
{
	const tact_barrier_t self = {tact_task_self().id};

	expect_error(tact_barrier_create(NULL, 0, 0, &barrier), TACT_EINVAL);
	expect_error(tact_barrier_create(NULL, 1, 0x10, &barrier), TACT_EINVAL);
	expect_error(tact_barrier_create("", 1, 0, &barrier), TACT_EINVAL);
	expect_error(tact_barrier_create(NULL, 1, TACT_ON_CPU(1), &barrier), TACT_ENXIO);
	expect_ok(tact_barrier_create("taken", 1, 0, NULL));
	expect_error(tact_barrier_create("taken", 1, 0, NULL), TACT_EEXIST);
	expect_error(tact_barrier_wait(self, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_barrier_flush(self), TACT_EBADF);
	expect_error(tact_barrier_inquire(self, NULL), TACT_EBADF);
	expect_error(tact_barrier_delete(self), TACT_EBADF);
	expect_ok(tact_barrier_create(NULL, 1, 0, &barrier));
	expect_error(tact_barrier_wait(barrier, ((tact_timeout_t){0, 9})), TACT_EINVAL);
}

static void use_in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_barrier_create(NULL, 1, 0, NULL), TACT_EPERM);
	expect_error(tact_barrier_delete(barrier), TACT_EPERM);
	expect_error(tact_barrier_wait(barrier, TEST_LONG), TACT_EPERM);
	expect_eq(tact_barrier_wait(barrier, TACT_NOWAIT), 1);
	expect_eq(tact_barrier_flush(barrier), 0);
}

TEST(handler_may_be_the_last_to_arrive)
{
	int result;
	tact_task_t task;

	expect_ok(tact_barrier_create(NULL, 2, 0, &barrier));
	task = spawn_arrival(0, &result);
	test_in_handler(use_in_handler, NULL);
	test_join(task);
	expect_eq(result, 0);
}

static void flush_afar(void *unused)
{
	(void)unused;
	expect_ok(tact_barrier_flush(barrier));
	expect_error(tact_barrier_wait(barrier, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_barrier_inquire(barrier, NULL), TACT_EPERM);
}

TEST_CPUS(2, handler_flushes_another_cpus_barrier)
{
	int result;
	tact_task_t task;

	expect_ok(tact_barrier_create(NULL, 2, TACT_ON_CPU(1), &barrier));
	task = spawn_arrival(1, &result);
	test_in_handler(flush_afar, NULL);
	test_join(task);
	expect_eq(result, -TACT_ECANCELED);
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_barrier_create(NULL, 1, 0, &barrier), TACT_EPERM);
}

#define MANY   20u
#define ROUNDS 10u

static _Atomic uint32_t arrived[ROUNDS];

/* No task leaves a round before all have come to it, even while the last tasks are still being told
 * of the round before. */
static void arrive_again_and_again(void *unused)
{
	(void)unused;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int result;

		arrived[round]++;
		result = tact_barrier_wait(barrier, TEST_LONG);
		expect_true(result == 0 || result == 1);
		expect_eq(arrived[round], MANY);
	}
}

/* The tasks that are told first arrive at the next round before the last ones are told of this
 * one. */
TEST(those_who_wait_anew_between_the_pieces_are_of_the_next_round)
{
	tact_task_t task[MANY];

	expect_ok(tact_barrier_create(NULL, MANY, TACT_PRIO, &barrier));
	for (uint32_t i = 0; i < MANY; i++)
		task[i] = test_spawn_light(10 + i, arrive_again_and_again, NULL);
	for (uint32_t i = 0; i < MANY; i++)
		test_join(task[i]);
	expect_eq(info_now().rounds, ROUNDS);
}

static tact_time_t limit;

static void arrive_until_the_limit(void *result)
{
	*(int *)result = tact_barrier_wait(barrier, tact_at(limit));
}

/* Their round is over, although they are told of it only afterwards. */
TASK_TEST(timeout_after_the_last_arrival_comes_too_late)
{
	tact_task_t task[MANY];
	int result[MANY];

	limit = tact_time_add(tact_now(), 50 * TEST_MS);
	expect_ok(tact_barrier_create(NULL, MANY + 1, TACT_PRIO, &barrier));
	for (uint32_t i = 0; i < MANY; i++) {
		task[i] = test_spawn_light(10, arrive_until_the_limit, &result[i]);
		test_until_state(task[i], TACT_TASK_STATE_WAITING);
	}
	expect_eq(tact_barrier_wait(barrier, TACT_NOWAIT), 1);
	while (tact_now().ns < limit.ns + TEST_MS)
		tact_compute(TEST_MS / 10);
	for (uint32_t i = 0; i < MANY; i++) {
		test_join(task[i]);
		expect_eq(result[i], 0);
	}
}
