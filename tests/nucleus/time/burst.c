/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Many timers at one instant: their order is kept and none is lost, but no more urgent task and no
 * message waits for all of them. Virtual time shows how long: each reading of the clock takes 1 us
 * here, and each firing has one.
 */
#include "exact.h"

#define CROWD    400u
#define STEP_NS  1000u
#define BATCH_NS (80 * STEP_NS) /* of one batch, and what is around it */

static tact_time_t instant;
static tact_timer_t timers[CROWD];
static uint32_t ran;
static tact_time_t first_at, urgent_at, urgent_done;

static void start(uint32_t cpus)
{
	struct tact_config config = {
		.name = "burst",
		.cpus = cpus,
		.pool_bytes = 16u << 20,
		.options = test_on_sim() ? "cost=1000" : NULL,
	};
	char reason[TACT_REASON_BYTES];

	expect_ok(test_start(&config, reason));
	/* Time enough to arm everything, also with a seed. */
	instant = tact_time_add(tact_now(), (test_on_sim() ? 5000 : 200) * TEST_MS);
}

static void need_exact(void)
{
	if (!test_exact())
		test_skip("instants are virtual time's");
}

static void expect_before(tact_time_t actual, uint64_t limit_ns)
{
	if (actual.ns < instant.ns || actual.ns > instant.ns + limit_ns)
		test_fail(__FILE__, __LINE__,
			  "expected up to %llu ns after the instant, actual %lld",
			  (unsigned long long)limit_ns, (long long)(actual.ns - instant.ns));
}

static void handle(void *arg)
{
	const tact_timer_t *timer = arg;

	if (!ran)
		first_at = tact_now();
	expect_eq(timer - timers, ran);
	ran++;
}

/* Periodic: their firing looks at the clock. */
static void start_timers(uint64_t period_ns)
{
	for (uint32_t i = 0; i < CROWD; i++) {
		expect_ok(tact_timer_create(NULL, handle, &timers[i], TACT_ON_CPU(0), &timers[i]));
		expect_ok(tact_timer_start(timers[i], tact_at(instant), period_ns));
	}
}

static void until_all_ran(void)
{
	while (tact_now().ns < instant.ns)
		tact_compute(TEST_MS);
	for (int round = 0; ran < CROWD && round < 1000; round++)
		tact_compute(10 * TEST_MS);
	expect_eq(ran, CROWD);
}

TEST_UNSTARTED(handlers_of_a_burst_run_in_the_order_of_arming)
{
	start(1);
	start_timers(0);
	until_all_ran();
	expect_ok(tact_stop());
}

TEST_UNSTARTED(the_first_handler_does_not_wait_for_the_last_expiry)
{
	need_exact();
	start(1);
	start_timers(100000 * TEST_MS);
	until_all_ran();
	expect_before(first_at, BATCH_NS);
	expect_ok(tact_stop());
}

static void ask(void *arg)
{
	struct tact_timer_info info = {0};

	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(instant, 10 * STEP_NS))));
	expect_ok(tact_timer_inquire(timers[CROWD - 1], &info));
	*(tact_time_t *)arg = tact_now();
}

TEST_UNSTARTED(a_message_does_not_wait_for_a_burst)
{
	tact_time_t answered;
	tact_task_t task;

	need_exact();
	start(2);
	start_timers(100000 * TEST_MS);
	task = test_spawn_on(1, 50, ask, &answered);
	test_join(task);
	expect_before(answered, 2 * BATCH_NS);
	until_all_ran();
	expect_ok(tact_stop());
}

static void sleeper(void *arg)
{
	expect_ok(tact_task_sleep_until(tact_at(instant)));
	expect_eq((uintptr_t)arg, ran);
	ran++;
}

/* Of a class that looks at the clock when it becomes ready. All are asleep when this returns. */
static void spawn_sleepers(void)
{
	const struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF,
					     .deadline_ns = 1000 * TEST_MS};
	struct tact_task_attr attr = {
		.priority = 10,
		.flags = TACT_TASK_LIGHT,
		.stack_bytes = 16384,
		.sched = &edf,
	};
	tact_task_t last;

	for (uintptr_t i = 0; i < CROWD; i++)
		expect_ok(tact_task_spawn(&attr, sleeper, (void *)i, &last));
	test_until_state(last, TACT_TASK_STATE_SLEEPING);
}

static void urgent(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(tact_at(instant)));
	urgent_at = tact_now();
	tact_compute(500 * STEP_NS);
	urgent_done = tact_now();
}

TEST_UNSTARTED(a_more_urgent_task_runs_amid_a_burst)
{
	tact_task_t task;

	need_exact();
	start(1);
	task = test_spawn(90, urgent, NULL);
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	spawn_sleepers();
	test_join(task);
	expect_before(urgent_at, 2 * BATCH_NS);
	/* And has at least half the processor, while the rest of the burst is served. */
	expect_before(urgent_done, 2 * (BATCH_NS + 500 * STEP_NS));
	until_all_ran();
	expect_ok(tact_stop());
}

static void compute(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(tact_at((tact_time_t){instant.ns - 10 * TEST_MS})));
	while (tact_now().ns < instant.ns + 10 * TEST_MS)
		tact_compute(TEST_MS);
	mark("done");
}

TEST_UNSTARTED(what_comes_last_in_a_burst_is_not_starved)
{
	tact_task_t runner;
	tact_task_t task;

	need_exact();
	start(1);
	spawn_sleepers();
	task = test_spawn(90, urgent, NULL);
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	runner = test_spawn(50, compute, NULL);
	test_join(task);
	expect_marks("");
	/* The runner had as much of the time as the burst. */
	expect_before(urgent_at, 3 * CROWD * STEP_NS);
	test_join(runner);
	until_all_ran();
	expect_ok(tact_stop());
}

TEST_UNSTARTED(sleepers_of_a_burst_wake_in_the_order_of_arming)
{
	tact_task_t runner;

	start(1);
	spawn_sleepers();
	runner = test_spawn(50, compute, NULL);
	test_join(runner);
	until_all_ran();
	expect_ok(tact_stop());
}
