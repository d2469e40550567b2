/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time: sleeps, timers that send events, the calendar. */
#include "exact.h"
#include "psos_test.h"

#define DATE(year, month, day)      ((unsigned long)(year) << 16 | (month) << 8 | (day))
#define TIME(hour, minute, second_) ((unsigned long)(hour) << 16 | (minute) << 8 | (second_))

/* In ticks: exact in virtual time, and not too early on a real machine. */
static void expect_passed(unsigned long long before, unsigned long long ticks)
{
	unsigned long long now = 0;

	expect_ok(tm_getc(&now));
	expect_true(test_exact() ? now - before == ticks : now - before >= ticks);
}

static unsigned long long now_ticks(void)
{
	unsigned long long now = 0;

	(void)WORKS(tm_getc, tm_getc(&now));
	return now;
}

static void sleeps(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long long before = now_ticks();
	unsigned long long ns = 0;

	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(tm_wkafter, tm_wkafter(0));
	expect_passed(before, 0);
	(void)WORKS(tm_wkafter, tm_wkafter(1));
	expect_passed(before, 1);
	before = now_ticks();
	(void)WORKS(tm_wkafter, tm_wkafter(50));
	expect_passed(before, 50);
	(void)WORKS(tm_getm, tm_getm(&ns));
	expect_true(ns >= (before + 50) * 10000000);
	(void)WORKS(tm_getm, tm_getm(NULL));
	(void)WORKS(tm_getc, tm_getc(NULL));
	mark("slept");
}

TEST(sleeps_end_with_the_nth_tick)
{
	until_gone(start("SLEE", 10, sleeps, 0));
	expect_marks("slept");
	(void)WORKS(tm_wkafter, tm_wkafter(2));
}

static void yields(unsigned long name, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	for (int i = 0; i < 2; i++) {
		mark((const char *)name);
		(void)WORKS(tm_wkafter, tm_wkafter(0));
	}
}

/* Creation goes to Linux, and others run meanwhile: both are created first. */
static void start_two(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	static const char *const name[2] = {"A", "B"};
	unsigned long tid[2];

	(void)a, (void)b, (void)c, (void)d;
	for (int i = 0; i < 2; i++)
		expect_ok(t_create(name[i], 10, 0, 0, 0, &tid[i]));
	for (int i = 0; i < 2; i++)
		expect_ok(t_start(tid[i], 0, yields, (unsigned long[4]){(unsigned long)name[i]}));
}

TEST(a_sleep_of_no_tick_lets_the_next_run)
{
	until_gone(start("TWO", 20, start_two, 0));
	expect_ok(tm_wkafter(2));
	expect_marks("A B A B");
}

static void timers(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long once = 0;
	unsigned long again = 0;
	unsigned long got = 0;
	unsigned long long before = now_ticks();

	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(tm_evafter, tm_evafter(5, 1, &once));
	(void)WORKS(tm_evevery, tm_evevery(3, 2, &again));
	for (int i = 0; i < 4; i++) {
		expect_ok(ev_receive(3, EV_ANY, 0, &got));
		mark(got == 1 ? "once" : got == 2 ? "every" : "both");
	}
	/* After 3, 5, 6 and 9 ticks. */
	expect_passed(before, 9);
	FAILS(tm_cancel, ERR_BADTMID, tm_cancel(once));
	(void)WORKS(tm_cancel, tm_cancel(again));
	FAILS(tm_cancel, ERR_BADTMID, tm_cancel(again));
	FAILS(tm_cancel, ERR_BADTMID, tm_cancel(NEVER));
	FAILS(tm_cancel, ERR_BADTMID, tm_cancel(0));
	FAILS(ev_receive, ERR_TIMEOUT, ev_receive(3, EV_ANY, 10, &got));
	(void)WORKS(tm_evafter, tm_evafter(10, 4, &once));
	(void)WORKS(tm_cancel, tm_cancel(once));
	FAILS(ev_receive, ERR_TIMEOUT, ev_receive(4, EV_ANY, 20, &got));
	(void)WORKS(tm_evafter, tm_evafter(0, 8, NULL));
	expect_ok(ev_receive(8, EV_ANY, 0, &got));
	FAILS(tm_evevery, ERR_ILLTICKS, tm_evevery(0, 1, &again));
	mark("done");
}

TEST(timers_send_events)
{
	until_gone(start("TIME", 10, timers, 0));
	expect_marks("every once every every done");
}

static void arms_many(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long id;

	(void)a, (void)b, (void)c, (void)d;
	for (int i = 0; i < 100; i++)
		(void)WORKS(tm_evafter, tm_evafter(20, 1, &id));
	for (int i = 0; i < 100; i++)
		(void)WORKS(tm_evevery, tm_evevery(20, 1, &id));
	(void)WORKS(t_setreg, t_setreg(0, 0, id));
	(void)t_suspend(0);
}

TEST(deletion_of_a_task_cancels_its_timers)
{
	unsigned long tid = start("MANY", 10, arms_many, 0);
	unsigned long id = 0;

	until_state("MANY", TACT_TASK_STATE_SUSPENDED);
	(void)WORKS(t_getreg, t_getreg(tid, 0, &id));
	(void)WORKS(t_delete, t_delete(tid));
	expect_ok(tm_wkafter(2));
	FAILS(tm_cancel, ERR_BADTMID, tm_cancel(id));
	expect_ok(tm_wkafter(50));
}

static unsigned long cancelled;

static void in_handler(void *unused)
{
	unsigned long date;

	(void)unused;
	(void)WORKS(tm_cancel, tm_cancel(cancelled));
	FAILS(tm_wkafter, ERR_SSFN, tm_wkafter(1));
	FAILS(tm_wkafter, ERR_SSFN, tm_wkafter(0));
	FAILS(tm_evafter, ERR_SSFN, tm_evafter(1, 1, NULL));
	FAILS(tm_evevery, ERR_SSFN, tm_evevery(1, 1, NULL));
	FAILS(tm_set, ERR_SSFN, tm_set(DATE(2026, 1, 1), 0, 0));
	(void)WORKS(tm_get, tm_get(&date, NULL, NULL));
	FAILS(tm_wkwhen, ERR_SSFN, tm_wkwhen(DATE(2100, 1, 1), 0, 0));
	FAILS(tm_evwhen, ERR_SSFN, tm_evwhen(DATE(2100, 1, 1), 0, 0, 1, NULL));
	mark("handler");
}

static void arms_one(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long got;

	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(tm_evevery, tm_evevery(20, 1, &cancelled));
	FAILS(ev_receive, ERR_TIMEOUT, ev_receive(1, EV_ANY, 100, &got));
	mark("silent");
}

TEST(handlers_cancel)
{
	unsigned long tid;

	(void)WORKS(tm_set, tm_set(DATE(2027, 1, 1), 0, 0));
	tid = start("ARMS", 10, arms_one, 0);
	until_waits("ARMS");
	test_in_handler(in_handler, NULL);
	until_gone(tid);
	expect_marks("handler silent");
}

static void by_date(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long date = 0;
	unsigned long time = 0;
	unsigned long ticks = 99;
	unsigned long got;
	unsigned long id;

	(void)a, (void)b, (void)c, (void)d;
	FAILS(tm_get, ERR_NOTIME, tm_get(&date, &time, &ticks));
	FAILS(tm_wkwhen, ERR_NOTIME, tm_wkwhen(DATE(2100, 1, 1), 0, 0));
	FAILS(tm_evwhen, ERR_NOTIME, tm_evwhen(DATE(2100, 1, 1), 0, 0, 1, &id));
	(void)WORKS(tm_set, tm_set(DATE(2028, 2, 28), TIME(23, 59, 58), 50));
	(void)WORKS(tm_get, tm_get(&date, &time, &ticks));
	expect_eq(date, DATE(2028, 2, 28));
	expect_eq(time, TIME(23, 59, 58));
	expect_true(ticks == 50 || !test_exact());
	(void)WORKS(tm_wkwhen, tm_wkwhen(DATE(2028, 2, 29), TIME(0, 0, 0), 1));
	(void)WORKS(tm_get, tm_get(&date, &time, &ticks));
	expect_eq(date, DATE(2028, 2, 29));
	expect_eq(time, 0);
	expect_true(ticks == 1 || !test_exact());
	FAILS(tm_wkwhen, ERR_TOOLATE, tm_wkwhen(DATE(2028, 2, 29), TIME(0, 0, 0), 0));
	FAILS(tm_evwhen, ERR_TOOLATE, tm_evwhen(DATE(2028, 2, 29), TIME(0, 0, 0), 0, 1, &id));
	(void)WORKS(tm_evwhen, tm_evwhen(DATE(2028, 2, 29), TIME(0, 0, 1), 0, 1, &id));
	(void)WORKS(ev_receive, ev_receive(1, EV_ANY, 0, &got));
	(void)WORKS(tm_get, tm_get(NULL, &time, NULL));
	expect_eq(time, TIME(0, 0, 1));
	/* A new date takes effect on what waits for one. */
	(void)WORKS(tm_evwhen, tm_evwhen(DATE(2028, 3, 1), TIME(0, 0, 0), 0, 2, &id));
	(void)WORKS(tm_set, tm_set(DATE(2028, 3, 1), TIME(0, 0, 1), 0));
	(void)WORKS(ev_receive, ev_receive(2, EV_ANY, 100, &got));
	mark("dates");
}

TEST(the_calendar_has_dates)
{
	until_gone(start("DATE", 10, by_date, 0));
	expect_marks("dates");
}

static void wrong_dates(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(tm_set, tm_set(DATE(2000, 2, 29), 0, 99));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(1999, 2, 29), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(2100, 2, 29), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(1969, 12, 31), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(2201, 1, 1), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(2026, 0, 1), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(2026, 13, 1), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(2026, 4, 31), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(2026, 4, 0), 0, 0));
	FAILS(tm_set, ERR_ILLDATE, tm_set(~0ul, 0, 0));
	FAILS(tm_set, ERR_ILLTIME, tm_set(DATE(2026, 4, 1), TIME(24, 0, 0), 0));
	FAILS(tm_set, ERR_ILLTIME, tm_set(DATE(2026, 4, 1), TIME(0, 60, 0), 0));
	FAILS(tm_set, ERR_ILLTIME, tm_set(DATE(2026, 4, 1), TIME(0, 0, 60), 0));
	FAILS(tm_set, ERR_ILLTICKS, tm_set(DATE(2026, 4, 1), 0, 100));
	FAILS(tm_wkwhen, ERR_ILLDATE, tm_wkwhen(DATE(2026, 4, 31), 0, 0));
	FAILS(tm_wkwhen, ERR_ILLTIME, tm_wkwhen(DATE(2026, 4, 1), ~0ul, 0));
	FAILS(tm_wkwhen, ERR_ILLTICKS, tm_wkwhen(DATE(2026, 4, 1), 0, ~0ul));
	FAILS(tm_evwhen, ERR_ILLDATE, tm_evwhen(0, 0, 0, 1, NULL));
	FAILS(tm_evwhen, ERR_ILLTIME, tm_evwhen(DATE(2026, 4, 1), TIME(0, 0, 61), 0, 1, NULL));
	FAILS(tm_evwhen, ERR_ILLTICKS, tm_evwhen(DATE(2026, 4, 1), 0, 100, 1, NULL));
	mark("refused");
}

TEST(wrong_dates_are_refused)
{
	until_gone(start("DATE", 10, wrong_dates, 0));
	expect_marks("refused");
}

TEST(every_day_of_the_calendar_comes_back)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned long got;

	for (unsigned long year = 1999; year <= 2101; year += year == 2004 ? 95 : 1)
		for (unsigned long month = 1; month <= 12; month++) {
			unsigned long leap = month == 2 && (year == 2000 || year == 2004);
			unsigned long last = days[month - 1] + leap;

			expect_ok(tm_set(DATE(year, month, last), TIME(12, 0, 0), 0));
			(void)WORKS(tm_get, tm_get(&got, NULL, NULL));
			expect_eq(got, DATE(year, month, last));
			FAILS(tm_set, ERR_ILLDATE, tm_set(DATE(year, month, last + 1), 0, 0));
		}
}
