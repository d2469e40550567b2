/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sporadic server's budget, priorities and replenishments, at their instants. */
#include "at.h"

#include <tactus/mutex.h>

static tact_sem_t sem;

static const struct tact_sched_param server = {.sched_class = TACT_SCHED_SPORADIC,
					       .budget_ns = 2 * TEST_MS,
					       .replenish_ns = 10 * TEST_MS,
					       .low_priority = 10,
					       .replenish_max = 2};

static void expect_priority(tact_task_t task, uint64_t offset_ns, uint32_t expected)
{
	at(offset_ns);
	expect_eq(info_of(task).priority, expected);
}

TASK_TEST(priority_falls_without_budget_and_rises_with_the_replenishment)
{
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task;

	need_exact();
	start = tact_now();
	task = spawn_as(&server, 40, compute_for_ever, NULL);
	expect_priority(task, 1900000, 40);
	expect_priority(task, 2100000, 10);
	expect_priority(task, 9900000, 10);
	expect_true(info_of(task).run_ns <= 2 * TEST_MS + 20000);
	expect_priority(task, 10100000, 40);
	expect_priority(task, 11900000, 40);
	expect_priority(task, 12100000, 10);
	at(19900000);
	expect_true(info_of(task).run_ns <= 4 * TEST_MS + 40000 &&
		    info_of(task).run_ns >= 4 * TEST_MS - 40000);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}

static void serve(void *arg)
{
	uint64_t work_ns = *(uint64_t *)arg;

	while (tact_sem_wait(sem, TACT_FOREVER) == 0)
		tact_compute(work_ns);
}

/* 0.9 ms used from 0 on and 0.9 ms from 4 on come back at 10 and at 14. */
TASK_TEST(each_use_is_replenished_a_period_after_its_begin)
{
	uint64_t work = 900000;
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task;

	need_exact();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	task = spawn_as(&server, 40, serve, &work);
	expect_ok(tact_task_sleep(15 * TEST_MS));
	start = tact_now();
	expect_ok(tact_sem_post(sem));
	expect_priority(task, 4 * TEST_MS, 40);
	expect_ok(tact_sem_post(sem));
	/* 0.2 ms are left, which the third job uses up at 5.2. */
	expect_priority(task, 5 * TEST_MS, 40);
	expect_ok(tact_sem_post(sem));
	expect_priority(task, 5300000, 10);
	expect_priority(task, 9900000, 10);
	/* 0.7 ms of the job, out of 0.9 that are back. */
	expect_priority(task, 10600000, 40);
	expect_priority(task, 10800000, 40);
	expect_run(task, 2700000);
	/* 0.2 of 4, merged with 0.2 of 5 by the third chunk of two: at 15 at the latest. */
	expect_ok(tact_sem_post(sem));
	expect_priority(task, 11100000, 10);
	expect_priority(task, 13900000, 10);
	expect_priority(task, 16 * TEST_MS, 40);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}

/* Two chunks may be kept apart. */
TASK_TEST(chunks_beyond_the_limit_come_back_at_the_later_time)
{
	uint64_t work = 600000;
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task;

	need_exact();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	task = spawn_as(&server, 40, serve, &work);
	expect_ok(tact_task_sleep(15 * TEST_MS));
	start = tact_now();
	expect_ok(tact_sem_post(sem));
	at(4 * TEST_MS);
	expect_ok(tact_sem_post(sem));
	at(5 * TEST_MS);
	expect_ok(tact_sem_post(sem));
	/* 0.2 ms are left, and not one more before 10, where 0.6 are back. */
	at(6 * TEST_MS);
	expect_run(task, 3 * work);
	for (int i = 0; i < 4; i++)
		expect_ok(tact_sem_post(sem));
	at(9900000);
	expect_run(task, 3 * work + 200000);
	at(13900000);
	expect_run(task, 3 * work + 800000);
	/* The 0.6 of 4 are next to those of 5, and both to 0.2 of 6: they come back at 16. */
	at(15900000);
	expect_run(task, 3 * work + 800000);
	at(17900000);
	expect_run(task, 3 * work + 2200000);
	at(21 * TEST_MS);
	expect_run(task, 3 * work + 4 * work);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}

#define CYCLES 20
#define CYCLE  (110 * TEST_MS)

/* In each cycle 5 ms from 0 on, and 10 from 10 on, of which most is held up until 100. */
static void use_late(void *arg)
{
	(void)arg;
	for (uint64_t i = 0; i < CYCLES; i++) {
		at(i * CYCLE);
		tact_compute(5 * TEST_MS);
		at(i * CYCLE + 10 * TEST_MS);
		tact_compute(10 * TEST_MS);
	}
	for (;;)
		expect_ok(tact_task_sleep(CYCLE));
}

static void hold_up(void *arg)
{
	(void)arg;
	for (uint64_t i = 0; i < CYCLES; i++) {
		at(i * CYCLE + 13 * TEST_MS);
		tact_compute(87 * TEST_MS);
	}
}

/* By POSIX's rules all time that is used from 10 on is back at 110: 15 ms in each 110, for ever. */
TASK_TEST(late_use_is_not_replenished_early)
{
	struct tact_sched_param tenth = {.sched_class = TACT_SCHED_SPORADIC,
					 .budget_ns = 10 * TEST_MS,
					 .replenish_ns = 100 * TEST_MS,
					 .low_priority = 10,
					 .replenish_max = 8};
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task[2];

	need_exact();
	start = tact_now();
	task[0] = spawn_as(&tenth, 40, use_late, NULL);
	task[1] = test_spawn(45, hold_up, NULL);
	for (uint64_t i = 1; i <= CYCLES; i++) {
		at(i * CYCLE);
		if (info_of(task[0]).run_ns > (i * CYCLE / (100 * TEST_MS) + 1) * 10 * TEST_MS)
			test_fail(__FILE__, __LINE__, "%llu us used in %llu ms",
				  (unsigned long long)info_of(task[0]).run_ns / 1000,
				  (unsigned long long)i * CYCLE / TEST_MS);
	}
	/* And it gets its share. */
	expect_true(info_of(task[0]).run_ns > CYCLES * CYCLE * 9 / 100);
	expect_ok(tact_task_delete(task[0]));
	expect_ok(tact_task_delete(task[1]));
	expect_ok(tact_task_delete(rival));
}

static tact_mutex_t mutex;

static void own_for_long(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	tact_compute(5 * TEST_MS);
	expect_ok(tact_mutex_unlock(mutex));
	compute_for_ever(NULL);
}

static void lock_once(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_ok(tact_mutex_unlock(mutex));
}

/* 2 ms of its own, 3 for the waiter, of which 2 are paid at 10, and 1 at 20. */
TASK_TEST(what_is_run_for_others_beyond_the_budget_is_paid_back)
{
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task[2];

	need_exact();
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	start = tact_now();
	task[0] = spawn_as(&server, 40, own_for_long, NULL);
	at(3 * TEST_MS);
	expect_run(task[0], 2 * TEST_MS);
	task[1] = test_spawn(30, lock_once, NULL);
	at(7 * TEST_MS);
	test_join(task[1]);
	expect_run(task[0], 5 * TEST_MS);
	at(19900000);
	expect_run(task[0], 5 * TEST_MS);
	at(29900000);
	expect_run(task[0], 6 * TEST_MS);
	at(39900000);
	expect_run(task[0], 8 * TEST_MS);
	expect_ok(tact_task_delete(task[0]));
	expect_ok(tact_task_delete(rival));
}

static void own_and_rest(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	tact_compute(3 * TEST_MS);
	expect_ok(tact_mutex_unlock(mutex));
	at(35 * TEST_MS);
	compute_for_ever(NULL);
}

static void compute_later(void *arg)
{
	at(30 * TEST_MS);
	compute_for_ever(arg);
}

/* 2 ms of its own, half a millisecond for no waiter, and one for the waiter, which is paid at 10,
 * and back at 20 although the server rests. */
TASK_TEST(what_has_paid_comes_back_a_period_later)
{
	tact_task_t rival, task[2];

	need_exact();
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	start = tact_now();
	rival = test_spawn(20, compute_later, NULL);
	task[0] = spawn_as(&server, 40, own_and_rest, NULL);
	at(2500000);
	task[1] = test_spawn(30, lock_once, NULL);
	at(4 * TEST_MS);
	test_join(task[1]);
	expect_run(task[0], 3 * TEST_MS);
	at(44 * TEST_MS);
	expect_run(task[0], 5 * TEST_MS);
	expect_ok(tact_task_delete(task[0]));
	expect_ok(tact_task_delete(rival));
}

TASK_TEST(time_at_the_low_priority_costs_nothing)
{
	tact_task_t task;

	need_exact();
	start = tact_now();
	task = spawn_as(&server, 40, compute_for_ever, NULL);
	/* There is no other task: it runs all the time, and is back at 10 with all its budget. */
	at(9 * TEST_MS);
	expect_true(info_of(task).run_ns > 8 * TEST_MS);
	expect_priority(task, 11900000, 40);
	expect_priority(task, 12100000, 10);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(base_priority_changes_under_the_server)
{
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task;

	need_exact();
	start = tact_now();
	task = spawn_as(&server, 40, compute_for_ever, NULL);
	expect_error(tact_task_set_priority(task, 10, 0, NULL), TACT_EINVAL);
	expect_priority(task, 3 * TEST_MS, 10);
	expect_ok(tact_task_set_priority(task, 45, 0, NULL));
	expect_eq(info_of(task).priority, 10);
	expect_priority(task, 10100000, 45);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}
