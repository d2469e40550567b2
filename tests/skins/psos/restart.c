/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Restarts: of tasks that wait, are suspended, run; what is as at first. */
#include "psos_test.h"

#include <pthread.h>

static unsigned long sem;

static void on_signal(unsigned long signals)
{
	(void)signals;
	mark("asr");
}

/* The word tells the first life from the others. */
static void live(unsigned long word, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long priority = 0;
	unsigned long mode = 0;
	unsigned long pending = 77;

	(void)b, (void)c, (void)d;
	expect_ok(t_setpri(0, 0, &priority));
	expect_ok(t_mode(0, 0, &mode));
	expect_ok(ev_receive(0, 0, 0, &pending));
	expect_eq(priority, 30);
	expect_eq(mode, T_TSLICE);
	expect_eq(pending, 0);
	if (word) {
		mark("again");
		FAILS(as_send, ERR_NOASR, as_send(0, 1));
		FAILS(ev_receive, ERR_TIMEOUT, ev_receive(0xff, EV_ANY, 100, &pending));
		return;
	}
	mark("first");
	expect_ok(t_setpri(0, 50, NULL));
	expect_ok(t_mode(T_NOPREEMPT | T_TSLICE, T_NOPREEMPT, NULL));
	expect_ok(as_catch(on_signal, 0));
	expect_ok(t_mode(T_NOASR, T_NOASR, NULL));
	expect_ok(as_send(0, 1));
	expect_ok(ev_send(0, 0x70));
	expect_ok(tm_evevery(5, 1, NULL));
	expect_ok(tm_evafter(5, 2, NULL));
	expect_ok(sm_p(sem, SM_WAIT, 0));
	mark("never");
}

static const unsigned long again[4] = {1, 2, 3, 4};

TEST(a_waiting_task_begins_anew)
{
	unsigned long tid;

	sem = a_semaphore(0);
	tid = start_in(T_TSLICE, "LIVE", 30, live, 0);
	until_waits("LIVE");
	(void)WORKS(t_restart, t_restart(tid, (unsigned long *)again));
	until_gone(tid);
	expect_marks("first again");
	/* Its wait is over. */
	(void)WORKS(sm_delete, sm_delete(sem));
	FAILS(t_restart, ERR_OBJDEL, t_restart(tid, NULL));
}

static unsigned long lives;

static void suspends(unsigned long word, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	mark(word ? "again" : "first");
	if (++lives < 3)
		(void)t_suspend(0);
}

TEST(a_suspended_task_begins_anew)
{
	unsigned long tid = start("SUSP", 30, suspends, 0);

	until_state("SUSP", TACT_TASK_STATE_SUSPENDED);
	(void)WORKS(t_restart, t_restart(tid, NULL));
	expect_ok(tm_wkafter(1));
	until_state("SUSP", TACT_TASK_STATE_SUSPENDED);
	(void)WORKS(t_restart, t_restart(tid, (unsigned long *)again));
	until_gone(tid);
	expect_marks("first first again");
}

static void restarts_itself(unsigned long word, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	mark(word ? "again" : "first");
	if (!word)
		(void)t_restart(0, (unsigned long *)again);
}

TEST(a_task_restarts_itself)
{
	until_gone(start("SELF", 30, restarts_itself, 0));
	expect_marks("first again");
}

TEST(restarts_are_checked)
{
	unsigned long tid;

	expect_ok(t_create("IDLE", 10, 0, 0, 0, &tid));
	FAILS(t_restart, ERR_NACTIVE, t_restart(tid, NULL));
}

static unsigned long handled;

static void in_handler(void *unused)
{
	(void)unused;
	FAILS(t_restart, ERR_SSFN, t_restart(handled, NULL));
	mark("handler");
}

TEST(handlers_do_not_restart)
{
	handled = start("SUSP", 10, suspends, 0);
	until_state("SUSP", TACT_TASK_STATE_SUSPENDED);
	test_in_handler(in_handler, NULL);
	expect_marks("first handler");
}
