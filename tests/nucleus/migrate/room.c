/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whoever moves a task makes room for its timers first: the room comes back however that ends. */
#include "test.h"

#define CALLERS 400

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
		struct tact_cpu_info info;

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
		/* What is taken once, for good, is there by then. */
		if (i == CALLERS / 4)
			before = used();
		end_in_its_call(i);
	}
	expect_eq(used(), before);
	expect_ok(tact_task_delete(moved));
}
