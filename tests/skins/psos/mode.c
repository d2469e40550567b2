/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes: preemption, time slices, interrupts. */
#include "psos_test.h"

static void marks_high(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	mark("high");
}

static void not_preempted(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long old = 0;

	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(t_mode, t_mode(0, ~0ul, &old));
	expect_eq(old, T_NOPREEMPT);
	/* Others run while a task is created, but not when it is started. */
	(void)start("HIGH", 200, marks_high, 0);
	mark("low");
	(void)WORKS(t_mode, t_mode(T_PREEMPT | T_NOPREEMPT, T_PREEMPT, &old));
	expect_eq(old, T_NOPREEMPT);
	mark("end");
}

TEST(a_task_that_is_not_preemptible_goes_first)
{
	unsigned long tid = start_in(T_NOPREEMPT, "LOW", 10, not_preempted, 0);

	until_gone(tid);
	expect_marks("low high end");
}

static void preempted(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	(void)start("HIGH", 200, marks_high, 0);
	mark("low");
}

TEST(a_task_is_preemptible_at_first)
{
	until_gone(start("LOW", 10, preempted, 0));
	expect_marks("high low");
}

/* Others run while a task that is not preemptible waits, and it is the same afterwards. */
static void waits_unpreemptible(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long mode = 0;

	(void)a, (void)b, (void)c, (void)d;
	(void)start("HIGH", 200, marks_high, 0);
	mark("low");
	expect_ok(tm_wkafter(1));
	mark("woken");
	expect_ok(t_mode(0, 0, &mode));
	expect_eq(mode, T_NOPREEMPT);
	(void)start("HIGH", 200, marks_high, 0);
	mark("again");
}

TEST(a_wait_lets_others_run)
{
	until_gone(start_in(T_NOPREEMPT, "LOW", 10, waits_unpreemptible, 0));
	expect_ok(tm_wkafter(1));
	expect_marks("low high woken again high");
}

static void computes(unsigned long name, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	for (int i = 0; i < 2; i++) {
		mark((const char *)name);
		/* A slice has 100 ms: it ends within this. */
		tact_compute(150 * TEST_MS);
	}
}

/* Creation goes to Linux, and others run meanwhile: both are created first. */
static void start_two(unsigned long mode, unsigned long b, unsigned long c, unsigned long d)
{
	static const char *const name[2] = {"A", "B"};
	unsigned long tid[2];

	(void)b, (void)c, (void)d;
	for (int i = 0; i < 2; i++)
		expect_ok(t_create(name[i], 10, 0, 0, 0, &tid[i]));
	for (int i = 0; i < 2; i++)
		expect_ok(t_start(tid[i], mode, computes,
				  (unsigned long[4]){(unsigned long)name[i]}));
}

TEST(slices_share_the_processor)
{
	until_gone(start("TWO", 20, start_two, T_TSLICE));
	expect_ok(tm_wkafter(100));
	expect_marks("A B A B");
}

TEST(without_slices_the_first_goes_to_its_end)
{
	until_gone(start("TWO", 20, start_two, T_NOTSLICE));
	expect_ok(tm_wkafter(100));
	expect_marks("A A B B");
}

static void on_timer(void *unused)
{
	(void)unused;
	mark("handler");
}

static void masks(unsigned long level, unsigned long b, unsigned long c, unsigned long d)
{
	tact_timer_t timer;

	(void)b, (void)c, (void)d;
	expect_ok(tact_timer_create(NULL, on_timer, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	(void)WORKS(t_mode, t_mode(T_NOISR, level, NULL));
	tact_compute(3 * TEST_MS);
	mark(level ? "masked" : "open");
	(void)WORKS(t_mode, t_mode(T_NOISR, T_ISR, NULL));
	mark("end");
	expect_ok(tact_timer_delete(timer));
}

TEST(a_level_keeps_handlers_away)
{
	until_gone(start("MASK", 10, masks, T_LEVELMASK3));
	expect_marks("masked handler end");
}

TEST(handlers_run_at_level_0)
{
	until_gone(start("MASK", 10, masks, T_LEVELMASK0));
	expect_marks("handler open end");
}

static void wrong(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long mode = 0;

	(void)a, (void)b, (void)c, (void)d;
	FAILS(t_mode, ERR_SSFN, t_mode(0x10000, 0, NULL));
	/* What is not in the mask is not looked at. */
	(void)WORKS(t_mode, t_mode(T_TSLICE, ~0ul, NULL));
	(void)WORKS(t_mode, t_mode(0, 0, &mode));
	expect_eq(mode, T_TSLICE);
	mark("checked");
}

TEST(unknown_attributes_are_refused)
{
	until_gone(start("WRON", 10, wrong, 0));
	expect_marks("checked");
}
