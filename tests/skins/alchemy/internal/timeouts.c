/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timeouts: every form, and ticks of more than 1 ns. */
#include "test.h"

#include "alchemy_internal.h"

static void expect_timeout(tact_timeout_t timeout, enum tact_timeout_kind kind, uint64_t ns)
{
	expect_eq(timeout.kind, kind);
	expect_eq(timeout.ns, ns);
}

TEST_UNSTARTED(scalars_become_timeouts)
{
	expect_timeout(alchemy_relative(TM_INFINITE), TACT_TIMEOUT_FOREVER, 0);
	expect_timeout(alchemy_relative(TM_NONBLOCK), TACT_TIMEOUT_NOWAIT, 0);
	expect_timeout(alchemy_relative(1000), TACT_TIMEOUT_RELATIVE, 1000);
	expect_timeout(alchemy_absolute(1000), TACT_TIMEOUT_ABSOLUTE, 1000);
	expect_timeout(alchemy_absolute(TM_INFINITE), TACT_TIMEOUT_FOREVER, 0);
	expect_timeout(alchemy_absolute(TM_NONBLOCK), TACT_TIMEOUT_NOWAIT, 0);
	expect_timeout(alchemy_relative(INT64_MAX), TACT_TIMEOUT_RELATIVE, ((uint64_t)1 << 62) - 1);
}

/* The time left until a date that has passed. */
TEST_UNSTARTED(negative_scalars_have_passed)
{
	expect_timeout(alchemy_relative(TM_NONBLOCK - 1), TACT_TIMEOUT_RELATIVE, 1);
	expect_timeout(alchemy_relative((RTIME)INT64_MIN), TACT_TIMEOUT_RELATIVE, 1);
	expect_timeout(alchemy_absolute((RTIME)-1000), TACT_TIMEOUT_ABSOLUTE, 1);
}

TEST_UNSTARTED(timespecs_become_timeouts)
{
	tact_timeout_t timeout;

	expect_ok(alchemy_timespec(NULL, &timeout));
	expect_timeout(timeout, TACT_TIMEOUT_FOREVER, 0);
	expect_ok(alchemy_timespec(&(struct timespec){0, 0}, &timeout));
	expect_timeout(timeout, TACT_TIMEOUT_NOWAIT, 0);
	expect_ok(alchemy_timespec(&(struct timespec){2, 5}, &timeout));
	expect_timeout(timeout, TACT_TIMEOUT_ABSOLUTE, 2000000005);
	expect_ok(alchemy_timespec(&(struct timespec){INT64_MAX, 999999999}, &timeout));
	expect_timeout(timeout, TACT_TIMEOUT_ABSOLUTE, ((uint64_t)1 << 62) - 1);
	expect_error(alchemy_timespec(&(struct timespec){0, 1000000000}, &timeout), EINVAL);
}

TEST_UNSTARTED(ticks_have_a_length)
{
	RT_TIMER_INFO info;

	runtime_set_rate(&alchemy_ticks, 1000, 1);
	expect_eq(rt_timer_ns2ticks(2999), 2);
	expect_eq(rt_timer_ns2ticks(-2999), -2);
	expect_eq(rt_timer_ticks2ns(3), 3000);
	expect_timeout(alchemy_relative(7), TACT_TIMEOUT_RELATIVE, 7000);
	expect_ok(rt_timer_inquire(&info));
	expect_eq(info.period, 1000);
	expect_eq(info.date, info.tsc / 1000);
}
