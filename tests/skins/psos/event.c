/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events: conditions, what is taken and what stays, timeouts, callers. */
#include "exact.h"
#include "psos_test.h"

static unsigned long receiver;
static unsigned long taken;
static unsigned long code;

static void receive_all(unsigned long events, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	code = ev_receive(events, EV_WAIT | EV_ALL, 0, &taken);
	mark("got");
	(void)t_suspend(0);
	code = ev_receive(0, 0, 0, &taken);
	mark("left");
}

static void until_got(void)
{
	expect_ok(tm_wkafter(1));
}

/* The example of the manual, page 1-29; event n is bit n. */
TEST(each_event_is_captured_once)
{
	receiver = 0;
	expect_ok(t_create("RECV", 20, 0, 0, 0, &receiver));
	(void)WORKS(ev_send, ev_send(receiver, 1u << 1 | 1u << 2));
	expect_ok(t_start(receiver, 0, receive_all,
			  (unsigned long[]){1u << 1 | 1u << 3 | 1u << 8, 0, 0, 0}));
	until_waits("RECV");
	(void)WORKS(ev_send, ev_send(receiver, 1u << 1 | 1u << 8));
	until_got();
	expect_marks("");
	(void)WORKS(ev_send, ev_send(receiver, 1u << 2 | 1u << 3 | 1u << 5));
	until_got();
	expect_marks("got");
	expect_eq(code, 0);
	expect_eq(taken, 1u << 1 | 1u << 3 | 1u << 8);
	expect_ok(t_resume(receiver));
	until_gone(receiver);
	expect_eq(code, 0);
	expect_eq(taken, 1u << 1 | 1u << 2 | 1u << 5);
}

static void conditions(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long self = 0;
	unsigned long got = 77;
	unsigned long long before = 0;
	unsigned long long after = 0;

	(void)a, (void)b, (void)c, (void)d;
	expect_ok(t_ident(NULL, 0, &self));
	FAILS(ev_receive, ERR_NOEVS, ev_receive(3, EV_NOWAIT | EV_ANY, 0, &got));
	expect_eq(got, 0);
	(void)WORKS(ev_send, ev_send(self, 6));
	(void)WORKS(ev_receive, ev_receive(3, EV_NOWAIT | EV_ANY, 0, &got));
	expect_eq(got, 2);
	/* Only read. */
	(void)WORKS(ev_receive, ev_receive(0, EV_WAIT, 0, &got));
	expect_eq(got, 4);
	/* All of them are not there: those that are, are reset all the same. */
	FAILS(ev_receive, ERR_NOEVS, ev_receive(12, EV_NOWAIT | EV_ALL, 0, &got));
	expect_eq(got, 4);
	(void)WORKS(ev_receive, ev_receive(0, 0, 0, &got));
	expect_eq(got, 0);
	/* They are neither queued nor counted. */
	for (int i = 0; i < 3; i++)
		(void)WORKS(ev_send, ev_send(0, 8));
	(void)WORKS(ev_receive, ev_receive(8, EV_WAIT, 0, NULL));
	FAILS(ev_receive, ERR_NOEVS, ev_receive(8, EV_NOWAIT, 0, NULL));
	(void)WORKS(tm_getc, tm_getc(&before));
	FAILS(ev_receive, ERR_TIMEOUT, ev_receive(8, EV_WAIT, 4, &got));
	(void)WORKS(tm_getc, tm_getc(&after));
	expect_true(after - before >= 4 && (!test_exact() || after - before == 4));
	/* What came before the timeout stays pending. */
	(void)WORKS(ev_send, ev_send(self, 1));
	FAILS(ev_receive, ERR_TIMEOUT, ev_receive(9, EV_WAIT | EV_ALL, 1, &got));
	expect_eq(got, 1);
	(void)WORKS(ev_receive, ev_receive(1, EV_NOWAIT | EV_ALL, 0, &got));
	/* All 32 of them. */
	(void)WORKS(ev_send, ev_send(self, 0xffffffff));
	(void)WORKS(ev_receive, ev_receive(0xffffffff, EV_ALL, 0, &got));
	expect_eq(got, 0xffffffff);
	FAILS(ev_receive, ERR_SSFN, ev_receive(1, 0x10, 0, &got));
	FAILS(ev_asend, ERR_SSFN, ev_asend(self, 1));
	mark("done");
}

TEST(conditions_are_any_or_all)
{
	until_gone(start("COND", 20, conditions, 0));
	expect_marks("done");
}

static void from_handler(void *unused)
{
	unsigned long got;

	(void)unused;
	(void)WORKS(ev_send, ev_send(receiver, 1u << 4));
	FAILS(ev_send, ERR_OBJID, ev_send(0, 1));
	FAILS(ev_receive, ERR_SSFN, ev_receive(1, EV_NOWAIT, 0, &got));
	mark("handler");
}

TEST(handlers_send)
{
	receiver = start("RECV", 20, receive_all, 1u << 4);
	until_waits("RECV");
	test_in_handler(from_handler, NULL);
	until_got();
	expect_marks("handler got");
	expect_ok(t_delete(receiver));
}
