/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A wait that ends on the way from CPU to CPU: the job that begins with its end is not lost. */
#include "exact.h"

#include <hal/sim.h>

#define STEP (TEST_MS / 8)

static tact_sem_t gate, done;

/* Its job is late, whenever it began. */
static void wait_and_be_late(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(gate, TEST_LONG));
	tact_compute(10 * TEST_MS);
	expect_ok(tact_sem_wait(done, TEST_LONG));
}

static void open_gate(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_post(gate));
}

/* The gate belongs to the third CPU, whose answers go to the CPU that the task had when it
 * asked. */
static uint32_t missed_by(const struct tact_sched_param *sched, tact_timer_t opener,
			  uint64_t offset_ns)
{
	struct tact_task_attr attr = {
		.priority = 10, .flags = TACT_TASK_LIGHT | TACT_ON_CPU(0), .sched = sched};
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, wait_and_be_late, NULL, &task));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_migrate(task, 1));
	settle();
	expect_ok(tact_timer_start(opener, tact_in(offset_ns), 0));
	expect_ok(tact_task_migrate(task, 0));
	do {
		expect_ok(hal_sim_linux_call(1, TEST_MS));
		expect_ok(tact_task_inquire(task, &info));
	} while (!tact_same(info.waits_for, done));
	expect_ok(tact_task_delete(task));
	return (uint32_t)info.deadlines_missed;
}

/* Messages are on their way for long, so that they overtake each other for most of it. */
static void sweep(const struct tact_sched_param *sched, uint32_t missed)
{
	struct tact_config config = {.cpus = 3};
	struct hal_sim_costs costs;
	tact_timer_t opener;

	hal_sim_get_costs(&costs);
	costs.kick_ns = TEST_MS;
	expect_ok(hal_sim_set_costs(&costs));
	expect_ok(test_start(&config, NULL));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(2), &gate));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(2), &done));
	expect_ok(tact_timer_create(NULL, open_gate, NULL, TACT_ON_CPU(2), &opener));
	for (uint64_t offset_ns = STEP; offset_ns < 12 * TEST_MS; offset_ns += STEP)
		expect_eq(missed_by(sched, opener, offset_ns), missed);
}

TEST_UNSTARTED(wait_that_ends_on_the_way_begins_a_job_by_deadline)
{
	const struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF,
					     .deadline_ns = 5 * TEST_MS};

	sweep(&edf, 1);
}

TEST_UNSTARTED(wait_that_ends_on_the_way_begins_a_job_of_a_reservation)
{
	const struct tact_sched_param cbs = {.sched_class = TACT_SCHED_CBS,
					     .budget_ns = 4 * TEST_MS,
					     .deadline_ns = 5 * TEST_MS,
					     .replenish_ns = 5 * TEST_MS};

	/* It continues to compute into a third period. */
	sweep(&cbs, 2);
}
