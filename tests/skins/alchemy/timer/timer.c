/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock: it advances, and its units convert. */
#include "test.h"

#include <errno.h>

#include <alchemy/timer.h>

TASK_TEST(clock_is_the_monotonic_one)
{
	uint64_t before = tact_now().ns;
	RTIME date = rt_timer_read();
	RTIME tsc = rt_timer_tsc();

	expect_true(before <= date && date <= tsc && tsc <= tact_now().ns);
}

TASK_TEST(units_convert_both_ways)
{
	expect_eq(rt_timer_ns2ticks(1500), 1500);
	expect_eq(rt_timer_ticks2ns(-7), -7);
	expect_eq(rt_timer_ns2tsc(12), 12);
	expect_eq(rt_timer_tsc2ns(13), 13);
}

TASK_TEST(inquiry_tells_tick_and_date)
{
	RT_TIMER_INFO info;
	RTIME before = rt_timer_read();

	expect_ok(rt_timer_inquire(&info));
	expect_eq(info.period, 1);
	expect_true(before <= info.date && info.date <= rt_timer_read());
	expect_eq(info.tsc, info.date);
	expect_error(rt_timer_inquire(NULL), EINVAL);
}

TASK_TEST(spinning_takes_its_time)
{
	RTIME before = rt_timer_read();

	rt_timer_spin(TEST_MS);
	expect_true(rt_timer_read() - before >= TEST_MS);
}
