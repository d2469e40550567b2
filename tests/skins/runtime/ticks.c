/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ticks: on a grid that begins at 0, of any rate, within the nucleus's range. */
#include "test.h"

#include "model.h"
#include "runtime/ticks.h"

static struct runtime_ticks ticks = {RUNTIME_RATE(1, 1)};

static void expect_timeout(tact_timeout_t timeout, enum tact_timeout_kind kind, uint64_t ns)
{
	expect_eq(timeout.kind, kind);
	expect_eq(timeout.ns, ns);
}

TEST_UNSTARTED(ticks_of_a_length_become_times)
{
	runtime_set_rate(&ticks, 1000, 1);
	expect_eq(runtime_ticks_ns(&ticks, 7), 7000);
	expect_eq(runtime_ns_ticks(&ticks, 6999), 6);
	expect_timeout(runtime_in(&ticks, 7), TACT_TIMEOUT_RELATIVE, 7000);
	expect_timeout(runtime_at(&ticks, 7), TACT_TIMEOUT_ABSOLUTE, 7000);
}

/* A second is 60 ticks, though a tick is no whole number of ns. */
TEST_UNSTARTED(ticks_of_a_frequency_do_not_drift)
{
	runtime_set_rate(&ticks, 1000000000, 60);
	expect_eq(runtime_ticks_ns(&ticks, 1), 16666667);
	expect_eq(runtime_ticks_ns(&ticks, 60), 1000000000);
	expect_eq(runtime_ticks_ns(&ticks, 60ull * 86400 * 365), 86400ull * 365 * 1000000000);
	for (uint64_t tick = 0; tick < 1000; tick++) {
		uint64_t ns = runtime_ticks_ns(&ticks, tick);

		expect_eq(runtime_ns_ticks(&ticks, ns), tick);
		expect_true(!tick || runtime_ns_ticks(&ticks, ns - 1) == tick - 1);
	}
}

TEST_UNSTARTED(times_beyond_the_range_are_its_end)
{
	runtime_set_rate(&ticks, 1, 1);
	expect_eq(runtime_ticks_ns(&ticks, UINT64_MAX), RUNTIME_NS_MAX);
	runtime_set_rate(&ticks, 1000000000, 1);
	expect_eq(runtime_ticks_ns(&ticks, UINT64_MAX), RUNTIME_NS_MAX);
	runtime_set_rate(&ticks, 1000000000, 3);
	expect_eq(runtime_ticks_ns(&ticks, UINT64_MAX), RUNTIME_NS_MAX);
	expect_timeout(runtime_on_tick(&ticks, UINT64_MAX), TACT_TIMEOUT_ABSOLUTE, RUNTIME_NS_MAX);
}

TEST_UNSTARTED(no_ticks_are_no_wait)
{
	expect_timeout(runtime_on_tick(&ticks, 0), TACT_TIMEOUT_NOWAIT, 0);
}

TEST_UNSTARTED(timespecs_are_dates)
{
	tact_timeout_t timeout;

	expect_ok(runtime_at_timespec(&(struct timespec){0, 0}, &timeout));
	expect_timeout(timeout, TACT_TIMEOUT_ABSOLUTE, 0);
	expect_ok(runtime_at_timespec(&(struct timespec){2, 5}, &timeout));
	expect_timeout(timeout, TACT_TIMEOUT_ABSOLUTE, 2000000005);
	expect_ok(runtime_at_timespec(&(struct timespec){INT64_MAX, 999999999}, &timeout));
	expect_timeout(timeout, TACT_TIMEOUT_ABSOLUTE, RUNTIME_NS_MAX);
	expect_error(runtime_at_timespec(&(struct timespec){0, 1000000000}, &timeout), TACT_EINVAL);
	expect_error(runtime_at_timespec(&(struct timespec){0, -1}, &timeout), TACT_EINVAL);
	expect_error(runtime_at_timespec(&(struct timespec){-1, 0}, &timeout), TACT_EINVAL);
}

/* A wait of one tick ends with the next tick of the grid, and one of two a whole tick later. */
TEST(delays_end_on_the_grid)
{
	int sem = model_sem_create(NULL, 0);

	runtime_set_rate(&ticks, 1000000000, MODEL_TICKS_HZ);
	for (int count = 1; count < 4; count++) {
		uint64_t before = runtime_ns_ticks(&ticks, tact_now().ns);
		uint64_t after;

		expect_eq(model_sem_take(sem, count), MODEL_TIMEOUT);
		after = runtime_ns_ticks(&ticks, tact_now().ns);
		expect_true(after >= before + (uint64_t)count);
		if (test_on_sim())
			expect_eq(after, before + (uint64_t)count);
	}
}
