/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Setting the wall clock moves the waits on it, in both directions, and no others. */
#include "test.h"

static tact_time_t woke;

static void sleep_on_the_wall(void *arg)
{
	expect_ok(tact_task_sleep_until(tact_at_wall(*(tact_time_t *)arg)));
	woke = tact_now();
	mark("wall");
}

static void sleep_plainly(void *arg)
{
	expect_ok(tact_task_sleep_until(tact_at(*(tact_time_t *)arg)));
	mark("plain");
}

TASK_TEST(clock_set_forward_ends_waits_early)
{
	tact_time_t wall = tact_time_add(tact_wall_now(), 3600 * 1000 * TEST_MS);
	tact_time_t plain = tact_time_add(tact_now(), 20 * TEST_MS);
	tact_task_t one = test_spawn(60, sleep_on_the_wall, &wall);
	tact_task_t two = test_spawn(60, sleep_plainly, &plain);

	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("");
	expect_ok(tact_wall_set(tact_time_add(wall, TEST_MS)));
	test_join(one);
	expect_marks("wall");
	expect_true(tact_wall_now().ns >= wall.ns);
	test_join(two);
	expect_marks("wall plain");
}

TASK_TEST(clock_set_far_beyond_the_instant_ends_waits)
{
	tact_time_t wall = tact_time_add(tact_wall_now(), 3600 * 1000 * TEST_MS);
	tact_task_t one = test_spawn(60, sleep_on_the_wall, &wall);

	/* By more than the monotonic clock has counted: its equivalent lies before the clock's
	 * begin. */
	expect_ok(tact_wall_set(tact_time_add(wall, 1000000000ull * 1000 * TEST_MS)));
	test_join(one);
	expect_ok(tact_task_sleep_until(tact_at_wall((tact_time_t){1})));
}

TASK_TEST(clock_set_back_prolongs_waits)
{
	tact_time_t before = tact_now();
	tact_time_t wall = tact_time_add(tact_wall_now(), 5 * TEST_MS);
	tact_task_t one = test_spawn(60, sleep_on_the_wall, &wall);

	expect_ok(tact_wall_set((tact_time_t){wall.ns - 15 * TEST_MS}));
	test_join(one);
	expect_true(woke.ns >= before.ns + 15 * TEST_MS);
}

TASK_TEST_CPUS(2, clock_is_set_on_all_cpus)
{
	tact_time_t wall = tact_time_add(tact_wall_now(), 3600 * 1000 * TEST_MS);
	tact_task_t there = test_spawn_on(1, 10, sleep_on_the_wall, &wall);

	test_until_state(there, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_wall_set(wall));
	test_join(there);
	expect_marks("wall");
}

static void set_in_handler(void *arg)
{
	*(int *)arg = tact_wall_set(tact_wall_now());
}

TEST(setting_is_refused_and_then_changes_nothing)
{
	int result = 0;
	int64_t before = (int64_t)(tact_wall_now().ns - tact_now().ns);
	int64_t after;

	expect_error(tact_wall_set((tact_time_t){1}), TACT_EINVAL);
	expect_error(tact_wall_set((tact_time_t){UINT64_MAX}), TACT_EINVAL);
	test_in_handler(set_in_handler, &result);
	expect_error(result, TACT_EPERM);
	after = (int64_t)(tact_wall_now().ns - tact_now().ns);
	expect_true(after - before < (int64_t)TEST_MS && before - after < (int64_t)TEST_MS);
}

TEST_UNSTARTED(setting_wants_a_start)
{
	uint64_t before = tact_wall_now().ns;

	expect_error(tact_wall_set((tact_time_t){before * 2}), TACT_EPERM);
	expect_true(tact_wall_now().ns < before + 60 * 1000 * TEST_MS);
}
