/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sporadic server's budget, priorities and replenishments, at their instants. */
#include "at.h"

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
TASK_TEST(each_activation_is_replenished_a_period_after_its_begin)
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
	/* Two replenishments, the most, are pending. */
	expect_priority(task, 5100000, 10);
	expect_priority(task, 9900000, 10);
	expect_priority(task, 10100000, 40);
	/* One is not any more; the next job makes it two again, until 14. */
	expect_ok(tact_sem_post(sem));
	expect_priority(task, 11200000, 10);
	expect_priority(task, 13900000, 10);
	expect_priority(task, 14100000, 40);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}

TASK_TEST(number_of_pending_replenishments_is_limited)
{
	struct tact_sched_param sched = server;
	uint64_t work = 100000;
	tact_task_t task;

	need_exact();
	sched.replenish_max = 3;
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	task = spawn_as(&sched, 40, serve, &work);
	expect_ok(tact_task_sleep(15 * TEST_MS));
	start = tact_now();
	for (int i = 0; i < 3; i++) {
		expect_eq(info_of(task).priority, 40);
		expect_ok(tact_sem_post(sem));
		at((uint64_t)(i + 1) * TEST_MS);
	}
	/* 1.7 ms of budget are left, but no place to note what they would be worth. */
	expect_eq(info_of(task).priority, 10);
	expect_priority(task, 10100000, 40);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(time_at_the_low_priority_costs_nothing)
{
	tact_task_t task;

	need_exact();
	start = tact_now();
	task = spawn_as(&server, 40, compute_for_ever, NULL);
	/* Nobody else is there: it runs all the time, and is back at 10 with all its budget. */
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
	expect_error(tact_task_set_priority(task, 10, NULL), TACT_EINVAL);
	expect_priority(task, 3 * TEST_MS, 10);
	expect_ok(tact_task_set_priority(task, 45, NULL));
	expect_eq(info_of(task).priority, 10);
	expect_priority(task, 10100000, 45);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}
