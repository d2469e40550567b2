/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls on what decides for thousands of tasks at once whether they may run. */
#include "walk.h"

#include <tactus/partition.h>
#include <tactus/quota.h>

#define TASKS    WALK_TASKS
#define INTERVAL (100 * TEST_MS)

static volatile bool go_on;

static void compute(void *unused)
{
	(void)unused;
	while (go_on)
		(void)tact_task_yield();
}

static void spawn_all(struct tact_sched_param sched)
{
	struct tact_task_attr attr = {.priority = 10,
				      .flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN,
				      .stack_bytes = 16384,
				      .sched = &sched};

	go_on = true;
	for (uint32_t i = 0; i < TASKS; i++)
		expect_ok(tact_task_spawn(&attr, compute, NULL, NULL));
}

static void quotas(void *unused)
{
	tact_quota_t group;

	(void)unused;
	COUNT("tact_quota_create", tact_quota_create(NULL, INTERVAL, TEST_MS, TEST_MS, 0, &group));
	spawn_all((struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA, .quota_group = group});
	sections_count("quota of many tasks");
	walk_let_end();
	expect_ok(tact_task_sleep(3 * INTERVAL));
	COUNT("tact_quota_set", tact_quota_set(group, INTERVAL, 2 * TEST_MS, 2 * TEST_MS));
	COUNT("tact_quota_inquire", tact_quota_inquire(group, NULL));
	COUNT_ERROR("tact_quota_delete of one in use", TACT_EBUSY, tact_quota_delete(group));
	go_on = false;
	expect_ok(tact_task_sleep(10 * INTERVAL));
	COUNT("tact_quota_delete", tact_quota_delete(group));
}

static void partitions(void *unused)
{
	static const struct tact_partition_window windows[] = {
		{.offset_ns = 0, .length_ns = TEST_MS, .partition = 1},
		{.offset_ns = 5 * TEST_MS, .length_ns = TEST_MS, .partition = 2},
	};

	(void)unused;
	spawn_all((struct tact_sched_param){.sched_class = TACT_SCHED_PARTITION, .partition = 1});
	COUNT("tact_partition_set", tact_partition_set(0, windows, 2, 10 * TEST_MS));
	COUNT("tact_partition_start", tact_partition_start(0, (tact_time_t){0}));
	COUNT("tact_partition_inquire", tact_partition_inquire(0, NULL));
	COUNT("tact_partition_stop", tact_partition_stop(0));
	go_on = false;
}

static void compute_in_steps(void *unused)
{
	(void)unused;
	while (go_on)
		tact_compute(TEST_MS);
}

/* Each of them could have run all the time, and may leave. The watchdog looks at all of each class,
 * and again at all but one for the waiter. */
static void hogs(void *unused)
{
	(void)unused;
	go_on = true;
	for (uint32_t i = 0; i < WALK_MANY; i++)
		(void)test_spawn(10, compute_in_steps, NULL);
	sections_count("watchdog");
	expect_ok(tact_task_sleep(500 * TEST_MS));
	sections_count(NULL);
	go_on = false;
	for (int i = 0; i < 50; i++)
		expect_ok(tact_task_sleep(TEST_MS));
}

TEST_UNSTARTED(longest_sections_of_watchdog)
{
	walk_run_hogged(hogs, 1, 1);
}

WALK(quotas)
WALK(partitions)
