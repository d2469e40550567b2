/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock and delays. */
#include "vrtx_check.h"

static struct timespec now;
static unsigned long tick_ns;

TASK_TEST(time_counts_ticks)
{
	unsigned long begin;

	WORKS(sc_stime, TRUST(sc_stime(1000)));
	begin = WORKS(sc_gtime, (err = RET_OK, sc_gtime()));
	expect_true(begin >= 1000 && (!test_on_sim() || begin == 1000));
	WORKS(sc_delay, TRUST(sc_delay(5)));
	expect_true(sc_gtime() >= begin + 5);
	if (test_on_sim())
		expect_eq(sc_gtime(), begin + 5);
	/* 0 only lets others run. */
	sc_delay(0);
	sc_delay(-3);
	if (test_on_sim())
		expect_eq(sc_gtime(), begin + 5);
	begin = sc_gtime();
	WORKS(ui_timer, TRUST(ui_timer()));
	expect_true(sc_gtime() > begin);
}

TASK_TEST(clock_is_set_and_told)
{
	const struct timespec set = {.seconds = 100, .nanoseconds = 5};

	WORKS(sc_gclock, DO(sc_gclock(&now, &tick_ns, &err)));
	expect_eq(tick_ns, TICK_NS);
	WORKS(sc_sclock, DO(sc_sclock(set, 1000000, &err)));
	sc_gclock(&now, &tick_ns, &err);
	expect_eq(now.seconds, 100);
	expect_true(now.nanoseconds >= 5);
	expect_eq(tick_ns, 1000000);
	sc_gclock(NULL, NULL, &err);
	expect_eq(err, RET_OK);
	FAILS(sc_sclock, ER_IIP, DO(sc_sclock((struct timespec){1, -1}, 1000, &err)));
	FAILS(sc_sclock, ER_IIP, DO(sc_sclock((struct timespec){-1, 0}, 1000, &err)));
	FAILS(sc_sclock, ER_IIP, DO(sc_sclock((struct timespec){1, 1000000000}, 1000, &err)));
	FAILS(sc_sclock, ER_IIP, DO(sc_sclock(set, 0, &err)));
	FAILS(sc_sclock, ER_IIP, DO(sc_sclock(set, 1000000001, &err)));
}

TASK_TEST(delay_until_an_instant)
{
	struct timespec end = {.seconds = 50, .nanoseconds = 0};

	sc_sclock(end, TICK_NS, &err);
	end.nanoseconds = 30 * (long)TEST_MS + 7;
	WORKS(sc_adelay, DO(sc_adelay(end, &err)));
	sc_gclock(&now, NULL, &err);
	expect_eq(now.seconds, 50);
	expect_true(now.nanoseconds >= end.nanoseconds);
	if (test_on_sim())
		expect_true(now.nanoseconds < end.nanoseconds + 1000);
	/* It has passed. */
	end.seconds = 49;
	WORKS(sc_adelay, DO(sc_adelay(end, &err)));
	end.nanoseconds = -1;
	FAILS(sc_adelay, ER_IIP, DO(sc_adelay(end, &err)));
}

static void sleep_long(void *unused)
{
	struct timespec end;

	(void)unused;
	sc_gclock(&end, NULL, &err);
	end.seconds += 1000;
	FAILS(sc_adelay, VRTX_BROKEN, DO(sc_adelay(end, &err)));
	mark("broken");
	sc_delay(100000);
}

TEST(delays_are_told_and_broken)
{
	int pinfo[3];

	spawn(sleep_long, 5, 20);
	until_waits(5);
	(void)sc_tinquiry(pinfo, 5, &err);
	expect_eq(pinfo[2], TBSADELAY);
	expect_ok(tact_task_unblock(task_of(5), 0));
	while (!*test_marks())
		settle();
	until_waits(5);
	(void)sc_tinquiry(pinfo, 5, &err);
	expect_eq(pinfo[2], TBSDELAY);
	sc_tdelete(5, 0, &err);
	expect_marks("broken");
}

static void in_handler(void *unused)
{
	struct timespec end;

	(void)unused;
	WORKS(sc_gclock, DO(sc_gclock(&end, NULL, &err)));
	end.seconds++;
	FAILS(sc_adelay, VRTX_NOT_HERE, DO(sc_adelay(end, &err)));
	WORKS(ui_timer, TRUST(ui_timer()));
	(void)sc_gtime();
	sc_stime(5);
}

TEST(handler_has_the_clock)
{
	(void)sc_fcreate(&err);
	test_in_handler(in_handler, NULL);
}
