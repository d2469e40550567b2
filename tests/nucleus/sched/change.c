/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task changes its class at any moment, and every class goes with suspension, waits and moves. */
#include "exact.h"

#define SCHED_CLASSES (TACT_SCHED_CBS + 1u)

static tact_sem_t sem;
static tact_quota_t group;

static struct tact_sched_param param(uint32_t sched_class)
{
	return (struct tact_sched_param){.sched_class = sched_class,
					 .quantum_ns = TEST_MS,
					 .deadline_ns = 5 * TEST_MS,
					 .budget_ns = 2 * TEST_MS,
					 .replenish_ns = 5 * TEST_MS,
					 .low_priority = 2,
					 .partition = 1,
					 .quota_group = group};
}

static void prepare(void)
{
	struct tact_partition_window window = {.length_ns = 4 * TEST_MS, .partition = 1};

	expect_ok(tact_quota_create(NULL, 5 * TEST_MS, 4 * TEST_MS, 0, TACT_ON_CPU(0), &group));
	expect_ok(tact_partition_set(0, &window, 1, 5 * TEST_MS));
	expect_ok(tact_partition_start(0, (tact_time_t){0}));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
}

static void loop(void *arg)
{
	volatile bool *stop = arg;

	while (!*stop)
		tact_compute(10000);
}

static void wait_all_classes(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < SCHED_CLASSES; i++)
		expect_ok(tact_sem_wait(sem, TEST_LONG));
}

TASK_TEST(ready_and_throttled_task_takes_every_class_after_every_other)
{
	volatile bool stop = false;
	struct tact_sched_param now = {0};
	struct tact_task_info info = {0};
	tact_task_t task;

	prepare();
	task = test_spawn(20, loop, (void *)&stop);
	for (uint32_t i = 0; i < SCHED_CLASSES; i++) {
		for (uint32_t j = 0; j < SCHED_CLASSES; j++) {
			struct tact_sched_param first = param(i);
			struct tact_sched_param second = param(j);

			expect_ok(tact_task_set_sched(task, &first));
			expect_ok(tact_task_sleep(TEST_MS));
			expect_ok(tact_task_set_sched(task, &second));
			expect_ok(tact_task_get_sched(task, &now));
			expect_eq(now.sched_class, j);
			expect_ok(tact_task_suspend(task));
			expect_ok(tact_task_set_priority(task, 30, 0, NULL));
			expect_ok(tact_task_resume(task));
			expect_ok(tact_task_sleep(TEST_MS));
			expect_ok(tact_task_inquire(task, &info));
			expect_eq(info.sched_class, j);
			expect_eq(info.base_priority, 30);
		}
	}
	expect_ok(tact_task_set_sched(task,
				      &(struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.priority, 30);
	expect_eq(info.state, TACT_TASK_STATE_READY);
	stop = true;
	test_join(task);
	expect_ok(tact_quota_delete(group));
}

TASK_TEST(waiting_task_takes_every_class)
{
	tact_task_t task;

	prepare();
	task = test_spawn(20, wait_all_classes, NULL);
	for (uint32_t i = 0; i < SCHED_CLASSES; i++) {
		struct tact_sched_param sched = param(i);

		test_until_state(task, TACT_TASK_STATE_WAITING);
		expect_ok(tact_task_set_sched(task, &sched));
		expect_ok(tact_sem_post(sem));
	}
	test_join(task);
}

static void change_self(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < 3 * SCHED_CLASSES; i++) {
		struct tact_sched_param sched = param(i % SCHED_CLASSES);

		expect_ok(tact_task_set_sched(TACT_SELF, &sched));
		tact_compute(3 * TEST_MS);
		expect_ok(tact_task_yield());
		expect_ok(tact_task_sleep(TEST_MS / 10));
	}
	mark("done");
}

TASK_TEST(running_task_takes_every_class)
{
	tact_task_t light;
	tact_task_t full;

	prepare();
	full = test_spawn(20, change_self, NULL);
	light = test_spawn_light(20, change_self, NULL);
	test_join(full);
	test_join(light);
	expect_marks("done done");
}

TASK_TEST_CPUS(2, tasks_of_unbound_classes_migrate_with_their_class)
{
	volatile bool stop = false;
	struct tact_task_info info = {0};
	tact_task_t task;

	prepare();
	task = test_spawn_on(0, 20, loop, (void *)&stop);
	for (uint32_t i = 0; i < SCHED_CLASSES; i++) {
		struct tact_sched_param sched = param(i);

		if (i == TACT_SCHED_PARTITION || i == TACT_SCHED_QUOTA)
			continue;
		expect_ok(tact_task_set_sched(task, &sched));
		expect_ok(tact_task_sleep(3 * TEST_MS));
		expect_ok(tact_task_migrate(task, 1));
		expect_ok(tact_task_sleep(3 * TEST_MS));
		expect_ok(tact_task_inquire(task, &info));
		expect_eq(info.cpu, 1);
		expect_eq(info.sched_class, i);
		expect_ok(tact_task_migrate(task, 0));
		expect_ok(tact_task_sleep(TEST_MS));
	}
	stop = true;
	test_join(task);
}

TASK_TEST(run_time_is_split_at_the_change_of_class)
{
	struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR, .quantum_ns = 2 * TEST_MS};
	volatile bool stop = false;
	tact_task_t task;
	tact_task_t other;

	if (!test_exact())
		test_skip("instants are virtual time's");
	task = test_spawn(20, loop, (void *)&stop);
	expect_ok(tact_task_sleep(10 * TEST_MS));
	/* Its time as FIFO is not taken from its first quantum. */
	expect_ok(tact_task_set_sched(task, &rr));
	other = test_spawn(20, loop, (void *)&stop);
	expect_ok(tact_task_sleep(TEST_MS));
	struct tact_task_info info = {0};
	expect_ok(tact_task_inquire(other, &info));
	expect_eq(info.run_ns, 0);
	expect_ok(tact_task_sleep(2 * TEST_MS));
	expect_ok(tact_task_inquire(other, &info));
	expect_true(info.run_ns > 900000);
	stop = true;
	test_join(task);
	test_join(other);
}
