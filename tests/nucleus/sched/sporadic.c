/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sporadic server's budget, priorities and replenishments, at their instants. */
#include "exact.h"

static tact_sem_t sem;
static tact_time_t start;

static const struct tact_sched_param server = {.sched_class = TACT_SCHED_SPORADIC,
					       .budget_ns = 2 * TEST_MS,
					       .replenish_ns = 10 * TEST_MS,
					       .low_priority = 10,
					       .replenish_max = 2};

static tact_task_t spawn(const struct tact_sched_param *sched, void (*entry)(void *), void *arg)
{
	struct tact_task_attr attr = {.priority = 40, .sched = *sched};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, entry, arg, &task));
	return task;
}

static void compute_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		tact_compute(1000);
}

static uint32_t priority_of(tact_task_t task)
{
	struct tact_task_info info;

	expect_ok(tact_task_inquire(task, &info));
	return info.priority;
}

static uint64_t run_of(tact_task_t task)
{
	struct tact_task_info info;

	expect_ok(tact_task_inquire(task, &info));
	return info.run_ns;
}

static void at(uint64_t offset_ns)
{
	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(start, offset_ns))));
}

static void need_sim(void)
{
	if (!test_exact())
		test_skip("instants are virtual time's");
}

TASK_TEST(priority_falls_without_budget_and_rises_with_the_replenishment)
{
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task;

	need_sim();
	start = tact_now();
	task = spawn(&server, compute_for_ever, NULL);
	at(1900000);
	expect_eq(priority_of(task), 40);
	at(2100000);
	expect_eq(priority_of(task), 10);
	at(9900000);
	expect_eq(priority_of(task), 10);
	expect_true(run_of(task) <= 2 * TEST_MS + 20000);
	at(10100000);
	expect_eq(priority_of(task), 40);
	at(11900000);
	expect_eq(priority_of(task), 40);
	at(12100000);
	expect_eq(priority_of(task), 10);
	at(19900000);
	expect_true(run_of(task) <= 4 * TEST_MS + 40000 && run_of(task) >= 4 * TEST_MS - 40000);
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

	need_sim();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	task = spawn(&server, serve, &work);
	expect_ok(tact_task_sleep(15 * TEST_MS));
	start = tact_now();
	expect_ok(tact_sem_post(sem));
	at(4 * TEST_MS);
	expect_eq(priority_of(task), 40);
	expect_ok(tact_sem_post(sem));
	/* Two replenishments, the most, are pending. */
	at(5100000);
	expect_eq(priority_of(task), 10);
	at(9900000);
	expect_eq(priority_of(task), 10);
	at(10100000);
	expect_eq(priority_of(task), 40);
	/* One is not any more; the next job makes it two again, until 14. */
	expect_ok(tact_sem_post(sem));
	at(11200000);
	expect_eq(priority_of(task), 10);
	at(13900000);
	expect_eq(priority_of(task), 10);
	at(14100000);
	expect_eq(priority_of(task), 40);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}

TASK_TEST(number_of_pending_replenishments_is_limited)
{
	struct tact_sched_param sched = server;
	uint64_t work = 100000;
	tact_task_t task;

	need_sim();
	sched.replenish_max = 3;
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	task = spawn(&sched, serve, &work);
	expect_ok(tact_task_sleep(15 * TEST_MS));
	start = tact_now();
	for (int i = 0; i < 3; i++) {
		expect_eq(priority_of(task), 40);
		expect_ok(tact_sem_post(sem));
		at((uint64_t)(i + 1) * TEST_MS);
	}
	/* 1.7 ms of budget are left, but no place to note what they would be worth. */
	expect_eq(priority_of(task), 10);
	at(10100000);
	expect_eq(priority_of(task), 40);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(time_at_the_low_priority_costs_nothing)
{
	tact_task_t task;

	need_sim();
	start = tact_now();
	task = spawn(&server, compute_for_ever, NULL);
	/* Nobody else is there: it runs all the time, and is back at 10 with all its budget. */
	at(9 * TEST_MS);
	expect_true(run_of(task) > 8 * TEST_MS);
	at(11900000);
	expect_eq(priority_of(task), 40);
	at(12100000);
	expect_eq(priority_of(task), 10);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(base_priority_changes_under_the_server)
{
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task;

	need_sim();
	start = tact_now();
	task = spawn(&server, compute_for_ever, NULL);
	expect_error(tact_task_set_priority(task, 10, NULL), TACT_EINVAL);
	at(3 * TEST_MS);
	expect_eq(priority_of(task), 10);
	expect_ok(tact_task_set_priority(task, 45, NULL));
	expect_eq(priority_of(task), 10);
	at(10100000);
	expect_eq(priority_of(task), 45);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}
