/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A handler that uses another CPU's timer more often than it has records for calls without a
 * result. In virtual time, where the other CPU can be kept from looking for a while. */
#include "test.h"

#include <hal/sim.h>

#include <tactus/timer.h>

#define RECORDS_MAX 1000

static tact_timer_t timer;
static tact_task_t far;
static int taken;

static void nothing(void *unused)
{
	(void)unused;
}

static void spend_records(void *unused)
{
	int result = 0;

	(void)unused;
	for (taken = 0; taken < RECORDS_MAX && !result; taken++)
		result = tact_timer_start(timer, tact_in(3600000 * TEST_MS), 0);
	expect_eq(result, -TACT_ENOMEM);
	expect_error(tact_timer_stop(timer), TACT_ENOMEM);
	expect_error(tact_timer_discard(timer), TACT_ENOMEM);
	expect_error(tact_timer_start(timer, tact_in(0), 0), TACT_ENOMEM);
	expect_error(tact_task_set_data(far, 1), TACT_ENOMEM);
	expect_error(tact_task_suspend_once(far), TACT_ENOMEM);
	expect_error(tact_task_resume_all(far), TACT_ENOMEM);
}

static void stop_timer(void *unused)
{
	(void)unused;
	expect_ok(tact_timer_stop(timer));
}

TEST_UNSTARTED(handler_is_told_that_the_records_are_spent)
{
	struct tact_config config = {.cpus = 2, .watchdog_ms = 60000};
	struct tact_task_attr attr = {.flags = TACT_TASK_LIGHT | TACT_ON_CPU(1)};
	struct hal_sim_costs costs;
	struct tact_timer_info info = {0};

	hal_sim_get_costs(&costs);
	costs.kick_ns = 100 * TEST_MS;
	expect_ok(hal_sim_set_costs(&costs));
	expect_ok(test_start(&config, NULL));
	expect_ok(tact_timer_create(NULL, nothing, NULL, TACT_ON_CPU(1), &timer));
	expect_ok(tact_task_create(&attr, &far));
	test_in_handler(spend_records, NULL);
	expect_true(taken > 1 && taken < RECORDS_MAX);
	/* The accepted calls arrive, and the records come back. */
	expect_ok(tact_timer_inquire(timer, &info));
	expect_true(info.active);
	test_in_handler(stop_timer, NULL);
	expect_ok(tact_timer_inquire(timer, &info));
	expect_true(!info.active);
	expect_ok(tact_stop());
}

static void wait_for_long(void *unused)
{
	(void)unused;
	(void)tact_task_sleep(10000 * TEST_MS);
}

static void suspend(void *task)
{
	expect_ok(tact_task_suspend(*(tact_task_t *)task));
}

static void resume(void *task)
{
	expect_ok(tact_task_resume(*(tact_task_t *)task));
}

/* Calls on tasks are the largest. */
TEST_CPUS(2, handler_suspends_and_resumes_a_task_of_another_cpu)
{
	tact_task_t task = test_spawn_on(1, 10, wait_for_long, NULL);
	struct tact_task_info info = {0};

	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	test_in_handler(suspend, &task);
	test_until_state(task, TACT_TASK_STATE_SUSPENDED);
	test_in_handler(resume, &task);
	settle();
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.suspend_count, 0);
	expect_ok(tact_task_delete(task));
}
