/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A hundred thousand light tasks live at once, run and go, and take 1 KiB each beside the stack. */
#include "test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define TASKS 100000u

static _Atomic uint32_t ran;

static void count(void *arg)
{
	(void)arg;
	atomic_fetch_add_explicit(&ran, 1, memory_order_relaxed);
}

/* The smallest stack that this machine's back end accepts. */
static size_t smallest_stack(void)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_LIGHT};
	tact_task_t task;

	for (size_t bytes = 4096;; bytes += 4096) {
		attr.stack_bytes = bytes;
		if (tact_task_create(&attr, &task) == 0) {
			expect_ok(tact_task_delete(task));
			return bytes;
		}
		expect_true(bytes < 65536);
	}
}

static uint64_t pool_used(void)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(0, &info));
	return info.pool_used_bytes;
}

static void live_and_go(struct tact_task_attr attr)
{
	struct tact_config config = {.name = "many", .pool_bytes = 256u << 20};
	tact_task_t *task = calloc(TASKS, sizeof(*task));
	char reason[TACT_REASON_BYTES];
	int result = test_start(&config, reason);
	uint64_t used;

	expect_true(task != NULL);
	if (result == -TACT_ENOMEM)
		test_skip(reason);
	expect_ok(result);
	attr.flags = TACT_TASK_LIGHT;
	attr.stack_bytes = smallest_stack();
	used = pool_used();
	for (uint32_t i = 0; i < TASKS; i++) {
		result = tact_task_create(&attr, &task[i]);
		if (result == -TACT_ENOMEM && !test_on_sim())
			test_skip("too little memory for 100 000 stacks");
		expect_ok(result);
	}
	expect_true((pool_used() - used) / TASKS <= 1024);
	/* The last ones are not started at all. */
	for (uint32_t i = 0; i < TASKS - 10; i++)
		expect_ok(tact_task_start(task[i], count, NULL));
	for (uint32_t i = 0; i < TASKS - 10; i++)
		expect_ok(tact_task_join(task[i], TEST_LONG));
	for (uint32_t i = TASKS - 10; i < TASKS; i++)
		expect_ok(tact_task_delete(task[i]));
	expect_eq(atomic_load_explicit(&ran, memory_order_relaxed), TASKS - 10);
	expect_error(tact_task_join(task[0], TACT_NOWAIT), TACT_EIDRM);
	expect_ok(tact_stop());
	free(task);
}

TEST_UNSTARTED(hundred_thousand_light_tasks_are_created_run_and_deleted)
{
	live_and_go((struct tact_task_attr){.priority = 10});
}

TEST_UNSTARTED(as_many_of_a_class_with_timers_are_no_larger_than_allowed)
{
	const struct tact_sched_param sporadic = {.sched_class = TACT_SCHED_SPORADIC,
						  .budget_ns = TEST_MS,
						  .replenish_ns = 10 * TEST_MS,
						  .low_priority = 1};

	if (!test_on_sim())
		test_skip("sizes are the same everywhere");
	live_and_go((struct tact_task_attr){.priority = 10, .sched = &sporadic});
}
