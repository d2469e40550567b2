/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Asynchronous signals: when the routine runs, what it gets, how it is left, its mode. */
#include "psos_test.h"

static unsigned long target;
static unsigned long seen;
static unsigned long sem;

static void gather(unsigned long signals)
{
	seen |= signals;
	mark("asr");
	(void)as_return();
	mark("never");
}

static void wait_for_token(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(as_catch, as_catch(gather, T_NOASR));
	mark("wait");
	expect_ok(sm_p(sem, SM_WAIT, 0));
	mark("token");
}

/* A signal does not end a wait: the routine runs when the task is dispatched. */
TEST(signals_wait_for_the_task)
{
	sem = a_semaphore(0);
	target = start("WAIT", 10, wait_for_token, 0);
	until_waits("WAIT");
	(void)WORKS(as_send, as_send(target, 1));
	(void)WORKS(as_send, as_send(target, 1));
	(void)WORKS(as_send, as_send(target, 0x8000));
	(void)WORKS(as_send, as_send(target, 0));
	expect_ok(tm_wkafter(2));
	expect_marks("wait");
	expect_ok(sm_v(sem));
	until_gone(target);
	expect_marks("wait asr token");
	expect_eq(seen, 0x8001);
	FAILS(as_send, ERR_OBJDEL, as_send(target, 1));
}

static void signals_itself(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	FAILS(as_send, ERR_NOASR, as_send(0, 1));
	FAILS(as_return, ERR_NOTINASR, as_return());
	FAILS(as_catch, ERR_SSFN, as_catch(gather, 0x10000));
	(void)WORKS(as_catch, as_catch(gather, 0));
	/* Before the call returns. */
	(void)WORKS(as_send, as_send(0, 2));
	mark("sent");
	(void)WORKS(as_send, as_send(0, 0));
	mark("none");
	(void)WORKS(as_catch, as_catch(NULL, 0));
	FAILS(as_send, ERR_NOASR, as_send(0, 1));
	FAILS(as_return, ERR_NOTINASR, as_return());
}

TEST(a_task_signals_itself)
{
	until_gone(start("SELF", 10, signals_itself, 0));
	expect_marks("asr sent none");
	expect_eq(seen, 2);
}

static void computes(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(as_catch, as_catch(gather, T_NOASR));
	while (!*(volatile unsigned long *)&seen)
		tact_compute(10000);
	mark("on");
}

static void from_handler(void *unused)
{
	(void)unused;
	(void)WORKS(as_send, as_send(target, 4));
	mark("handler");
}

TEST(a_task_that_computes_is_interrupted)
{
	target = start("COMP", 10, computes, 0);
	test_in_handler(from_handler, NULL);
	until_gone(target);
	expect_marks("handler asr on");
	expect_eq(seen, 4);
}

/* Returns, in place of as_return(), and is sent two more while it runs. */
static void returns(unsigned long signals)
{
	seen = seen << 8 | signals;
	mark("in");
	if (signals == 1) {
		expect_ok(as_send(0, 2));
		expect_ok(as_send(0, 4));
	}
	mark("out");
}

static void not_reentered(unsigned long mode, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	(void)WORKS(as_catch, as_catch(returns, mode));
	(void)WORKS(as_send, as_send(0, 1));
	mark("back");
}

TEST(a_routine_with_noasr_is_not_reentered)
{
	until_gone(start("NOAS", 10, not_reentered, T_NOASR));
	expect_marks("in out in out back");
	expect_eq(seen, 1 << 8 | 6);
}

TEST(a_routine_with_asr_is_reentered)
{
	until_gone(start("ASR", 10, not_reentered, T_ASR));
	expect_marks("in in out in out out back");
	expect_eq(seen, 1 << 16 | 2 << 8 | 4);
}

/* Each leaves by as_return(), from a function that it called. */
static void leave(void)
{
	(void)as_return();
}

static void nested(unsigned long signals)
{
	mark(signals == 1 ? "outer" : "inner");
	if (signals == 1) {
		expect_ok(as_send(0, 2));
		mark("again");
	}
	leave();
	mark("never");
}

static void runs_nested(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(as_catch, as_catch(nested, T_ASR));
	(void)WORKS(as_send, as_send(0, 1));
	mark("task");
	FAILS(as_return, ERR_NOTINASR, as_return());
}

TEST(as_return_leaves_the_innermost_routine)
{
	until_gone(start("NEST", 10, runs_nested, 0));
	expect_marks("outer inner again task");
}

static void masks(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long old = 77;

	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(as_catch, as_catch(gather, 0));
	(void)WORKS(t_mode, t_mode(T_ASR | T_NOASR, T_NOASR, &old));
	expect_eq(old, 0);
	(void)WORKS(as_send, as_send(0, 1));
	mark("masked");
	(void)WORKS(t_mode, t_mode(T_ASR | T_NOASR, T_ASR, &old));
	expect_eq(old, T_NOASR);
	mark("open");
}

TEST(t_mode_defers_signals)
{
	until_gone(start("MASK", 10, masks, 0));
	expect_marks("masked asr open");
}

static void looks_at_mode(unsigned long signals)
{
	unsigned long mode = 0;

	expect_ok(t_mode(0, 0, &mode));
	seen = mode;
	/* Back when the routine is left. */
	expect_ok(t_mode(T_TSLICE, T_TSLICE, NULL));
	if (signals & 2)
		(void)as_return();
}

static void has_mode(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long mode = 0;

	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(as_catch, as_catch(looks_at_mode, T_NOPREEMPT | T_NOISR | T_NOASR));
	for (unsigned long signals = 1; signals <= 2; signals++) {
		(void)WORKS(as_send, as_send(0, signals));
		expect_eq(seen, T_NOPREEMPT | T_NOISR | T_NOASR);
		expect_ok(t_mode(0, 0, &mode));
		expect_eq(mode, T_TSLICE);
	}
	mark("modes");
}

TEST(a_routine_has_its_own_mode)
{
	until_gone(start_in(T_TSLICE, "MODE", 10, has_mode, 0));
	expect_marks("modes");
}

/* A routine may wait, and may call what the task may call. */
static void waits(unsigned long signals)
{
	unsigned long got = 0;

	(void)signals;
	expect_ok(tm_wkafter(2));
	expect_ok(ev_receive(1, EV_ANY, 0, &got));
	mark("waited");
	(void)as_return();
}

static void lets_wait(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(as_catch, as_catch(waits, T_NOASR));
	expect_ok(ev_send(0, 1));
	FAILS(sm_p, ERR_TIMEOUT, sm_p(sem, SM_WAIT, 2));
	mark("task");
}

TEST(a_routine_may_wait)
{
	sem = a_semaphore(0);
	target = start("WAIT", 10, lets_wait, 0);
	until_waits("WAIT");
	(void)WORKS(as_send, as_send(target, 1));
	until_gone(target);
	expect_marks("waited task");
}
