/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sleeping, and the values of the clocks. */
#include "exact.h"

static void sleep_and_mark(void *arg)
{
	int result = tact_task_sleep_until(*(tact_timeout_t *)arg);

	mark(result == 0 ? "slept" : result == -TACT_ECANCELED ? "broken" : "other");
}

TASK_TEST(sleep_lasts_as_long_as_asked)
{
	tact_time_t before = tact_now();

	expect_ok(tact_task_sleep(3 * TEST_MS));
	expect_true(tact_now().ns >= before.ns + 3 * TEST_MS);
	if (test_exact())
		expect_true(tact_now().ns < before.ns + 3 * TEST_MS + 2000);
}

TASK_TEST(sleep_until_an_instant)
{
	tact_time_t until = tact_time_add(tact_now(), 3 * TEST_MS);

	expect_ok(tact_task_sleep_until(tact_at(until)));
	expect_true(tact_now().ns >= until.ns);
	expect_ok(tact_task_sleep_until(tact_at(until)));
	expect_ok(tact_task_sleep_until(tact_at((tact_time_t){0})));
	until = tact_time_add(tact_wall_now(), 2 * TEST_MS);
	expect_ok(tact_task_sleep_until(tact_at_wall(until)));
	expect_true(tact_wall_now().ns >= until.ns);
	expect_ok(tact_task_sleep_until(tact_in(TEST_MS)));
}

TASK_TEST(sleep_refuses_what_is_no_instant)
{
	expect_error(tact_task_sleep_until(TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_task_sleep_until((tact_timeout_t){0, 5}), TACT_EINVAL);
}

TASK_TEST(sleep_is_broken_by_unblock)
{
	tact_timeout_t timeout = TACT_FOREVER;
	struct tact_task_info info = {0};
	tact_task_t task = test_spawn(60, sleep_and_mark, &timeout);

	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.state, TACT_TASK_STATE_SLEEPING);
	expect_none(info.waits_for);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	timeout = tact_in(UINT64_MAX);
	task = test_spawn(60, sleep_and_mark, &timeout);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_marks("broken broken");
}

TASK_TEST(sleepers_wake_in_order_of_their_instants)
{
	tact_time_t now = tact_now();
	tact_timeout_t timeout[3];
	tact_task_t task[3];

	for (uint32_t i = 0; i < 3; i++) {
		timeout[i] = tact_at(tact_time_add(now, (5 - i) * TEST_MS));
		task[i] = test_spawn(60 + i, sleep_and_mark, &timeout[i]);
	}
	for (int i = 2; i >= 0; i--)
		test_join(task[i]);
	expect_marks("slept slept slept");
	expect_true(tact_now().ns >= now.ns + 5 * TEST_MS);
}

TASK_TEST(computing_takes_time)
{
	tact_time_t before = tact_now();

	tact_compute(TEST_MS);
	expect_true(tact_now().ns >= before.ns + TEST_MS);
}
