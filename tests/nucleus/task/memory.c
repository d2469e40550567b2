/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A CPU's pool is full and cannot grow, because the caller is a task. Calls that need memory are
 * refused, and nothing has changed.
 */
#include "test.h"

/* With the timers of their waits they leave room for less than two more each. */
#define TASKS 140u

static tact_task_t tasks[TASKS];

static const struct tact_sched_param sporadic = {.sched_class = TACT_SCHED_SPORADIC,
						 .budget_ns = TEST_MS,
						 .replenish_ns = 10 * TEST_MS,
						 .low_priority = 1};

static void fill_pool(void)
{
	int result;

	do
		result = tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), NULL);
	while (!result);
	expect_error(result, TACT_ENOMEM);
}

/* Returns how many of the tasks have got timers for the class. */
static unsigned take_timers(void)
{
	for (unsigned i = 0; i < TASKS; i++) {
		int result = tact_task_set_sched(tasks[i], &sporadic);

		if (result) {
			expect_error(result, TACT_ENOMEM);
			return i;
		}
	}
	test_fail(__FILE__, __LINE__, "there is room for the timers of all tasks");
}

static void serve(uint64_t requests, void *unused)
{
	(void)requests;
	(void)unused;
}

/* A routine is smaller than what has filled the pool. */
static void give_routines(void)
{
	const struct tact_routine routine = {.run = serve};
	unsigned given = 0;
	int result;

	do
		result = tact_task_set_routine(tasks[given], &routine);
	while (!result && ++given < TASKS);
	expect_error(result, TACT_ENOMEM);
	expect_error(tact_task_request(tasks[given], 1), TACT_ENOTSUP);
}

static void make_in_vain(void *arg)
{
	static const struct tact_partition_window window = {.length_ns = TEST_MS};
	struct tact_sched_param param = {0};
	unsigned changed;
	tact_task_t none = {0};

	(void)arg;
	fill_pool();
	changed = take_timers();
	expect_true(changed > 0);
	/* The refused task is unchanged. */
	expect_ok(tact_task_get_sched(tasks[changed], &param));
	expect_eq(param.sched_class, TACT_SCHED_FIFO);
	expect_error(tact_task_create(&(struct tact_task_attr){.flags = TACT_TASK_LIGHT}, &none),
		     TACT_ENOMEM);
	expect_none(none);
	expect_error(tact_timer_create(NULL, make_in_vain, NULL, 0, NULL), TACT_ENOMEM);
	expect_error(tact_quota_create(NULL, 10 * TEST_MS, TEST_MS, TEST_MS, 0, NULL), TACT_ENOMEM);
	expect_error(tact_partition_set(0, &window, 1, 10 * TEST_MS), TACT_ENOMEM);
	give_routines();
	/* Given back, the room is there again. */
	expect_ok(tact_task_set_sched(tasks[0], &(struct tact_sched_param){0}));
	expect_ok(tact_task_set_sched(tasks[changed], &sporadic));
	mark("refused");
}

static void come_in_vain(void *arg)
{
	struct tact_task_info info = {0};

	(void)arg;
	fill_pool();
	(void)take_timers();
	expect_error(tact_task_migrate(TACT_SELF, 0), TACT_ENOMEM);
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.cpu, 1);
	mark("stayed");
}

static void with_full_pool(uint32_t cpus, uint32_t cpu, void (*body)(void *arg))
{
	struct tact_config config = {.cpus = cpus, .pool_bytes = 512u << 10};
	char reason[TACT_REASON_BYTES];

	int result = test_start(&config, reason);

	if (cpus > 1 && (result == -TACT_EBUSY || result == -TACT_ENXIO))
		test_skip(reason);
	expect_ok(result);
	for (unsigned i = 0; i < TASKS; i++)
		expect_ok(tact_task_create(
			&(struct tact_task_attr){.priority = 10,
						 .flags = TACT_TASK_LIGHT | TACT_ON_CPU(0)},
			&tasks[i]));
	test_join(test_spawn_on(cpu, TEST_PRIORITY, body, NULL));
	expect_ok(tact_stop());
}

TEST_UNSTARTED(full_pool_refuses_all_that_needs_room)
{
	with_full_pool(1, 0, make_in_vain);
	expect_marks("refused");
}

TEST_UNSTARTED(task_stays_where_it_is_when_there_is_no_room_elsewhere)
{
	with_full_pool(2, 1, come_in_vain);
	expect_marks("stayed");
}
