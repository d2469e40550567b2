/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A call that moves a task first makes room for its timers. The room comes back, however the call
 * ends. */
#include "test.h"

#define CALLERS 400
#define FILLERS 20000

static tact_task_t moved;

static void move_to_and_fro(void *unused)
{
	(void)unused;
	for (uint32_t i = 0;; i++)
		expect_ok(tact_task_migrate(moved, i % 2));
}

static uint64_t used(void)
{
	uint64_t bytes = 0;

	settle();
	for (uint32_t i = 0; i < 2; i++) {
		struct tact_cpu_info info = {0};

		expect_ok(tact_cpu_inquire(i, &info));
		bytes += info.pool_used_bytes;
	}
	return bytes;
}

/* At another moment of its call each time. */
static void end_in_its_call(uint32_t number)
{
	tact_task_t caller = test_spawn_light(10, move_to_and_fro, NULL);

	expect_ok(tact_task_sleep(20000 + number % 64 * 150));
	expect_ok(tact_task_delete(caller));
}

TASK_TEST_CPUS(2, caller_that_is_deleted_leaves_no_room_taken)
{
	struct tact_task_attr attr = {.flags = TACT_ON_CPU(0)};
	uint64_t before = 0;

	expect_ok(tact_task_create(&attr, &moved));
	for (uint32_t i = 0; i < CALLERS; i++) {
		/* Memory that is taken once and for good is there now. */
		if (i == CALLERS / 4)
			before = used();
		end_in_its_call(i);
	}
	expect_eq(used(), before);
	expect_ok(tact_task_delete(moved));
}

static void sleep_on(void *unused)
{
	(void)unused;
	(void)tact_task_sleep(3600000 * TEST_MS);
}

static void nothing(void *unused)
{
	(void)unused;
}

/* A task cannot make the pool grow. It takes the rest, then turns some of it into timers until no
 * more can be reserved. */
static void take_all_timers(void *unused)
{
	static tact_queue_t fillers[FILLERS];
	uint32_t filled = 0;
	int result = 0;

	(void)unused;
	while (filled < FILLERS && !tact_queue_create(NULL, 64, 8, 0, &fillers[filled]))
		filled++;
	/* Every other one, so that the holes stay small: a timer fits, a longer table does not. */
	for (uint32_t i = 0; i < filled && result != -TACT_ENOMEM; i += 2) {
		expect_ok(tact_queue_delete(fillers[i]));
		result = tact_timer_create(NULL, nothing, NULL, 0, NULL);
	}
	expect_eq(result, -TACT_ENOMEM);
	expect_ok(tact_task_suspend(TACT_SELF));
}

/* The sleep stays where it was, and takes a timer there. */
TEST_CPUS(2, linux_thread_gets_room_on_either_cpu)
{
	tact_task_t sleeper[2];

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		sleeper[cpu] = test_spawn_on(cpu, 10, sleep_on, NULL);
		test_until_state(sleeper[cpu], TACT_TASK_STATE_SLEEPING);
		test_until_state(test_spawn_on(cpu, 10, take_all_timers, NULL),
				 TACT_TASK_STATE_SUSPENDED);
	}
	for (uint32_t cpu = 0; cpu < 2; cpu++)
		expect_ok(tact_task_migrate(sleeper[cpu], !cpu));
}
