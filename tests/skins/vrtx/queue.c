/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues. */
#include "vrtx_check.h"

static char m[8];
#define Q 0

static void expect_messages(int first, int last)
{
	for (int i = first; i <= last; i++)
		expect_true(WORKS(sc_qaccept, sc_qaccept(Q, &err)) == &m[i]);
	FAILS(sc_qaccept, ER_NMP, sc_qaccept(Q, &err));
}

TASK_TEST(messages_come_in_order_and_jammed_ones_first)
{
	int count = -1;

	expect_eq(WORKS(sc_qcreate, sc_qcreate(Q, 3, &err)), Q);
	expect_true(WORKS(sc_qinquiry, sc_qinquiry(Q, &count, &err)) == NULL);
	expect_eq(count, 0);
	for (int i = 1; i <= 3; i++)
		WORKS(sc_qpost, DO(sc_qpost(Q, &m[i], &err)));
	FAILS(sc_qpost, ER_QFL, DO(sc_qpost(Q, &m[4], &err)));
	WORKS(sc_qjam, DO(sc_qjam(Q, &m[0], &err)));
	FAILS(sc_qjam, ER_QFL, DO(sc_qjam(Q, &m[4], &err)));
	expect_true(WORKS(sc_qinquiry, sc_qinquiry(Q, &count, &err)) == &m[0]);
	expect_eq(count, 4);
	expect_messages(0, 3);
	/* The jammed one is not in the way of the others. */
	WORKS(sc_qjam, DO(sc_qjam(Q, &m[0], &err)));
	WORKS(sc_qpost, DO(sc_qpost(Q, &m[1], &err)));
	WORKS(sc_qpost, DO(sc_qpost(Q, &m[2], &err)));
	FAILS(sc_qpost, ER_QFL, DO(sc_qpost(Q, &m[3], &err)));
	(void)WORKS(sc_qinquiry, sc_qinquiry(Q, NULL, &err));
	expect_messages(0, 2);
	/* A message may be NULL, also one that is jammed into a full queue. */
	for (int i = 1; i <= 3; i++)
		sc_qpost(Q, &m[i], &err);
	WORKS(sc_qjam, DO(sc_qjam(Q, NULL, &err)));
	expect_true(WORKS(sc_qinquiry, sc_qinquiry(Q, &count, &err)) == NULL);
	expect_eq(count, 4);
	expect_true(WORKS(sc_qpend, sc_qpend(Q, 1, &err)) == NULL);
	expect_messages(1, 3);
}

TASK_TEST(numbers_are_the_programs)
{
	expect_eq(WORKS(sc_qecreate, sc_qecreate(255, 1, 0, &err)), 255);
	FAILS(sc_qcreate, ER_QID, sc_qcreate(255, 1, &err));
	FAILS(sc_qecreate, ER_QID, sc_qecreate(255, 1, 0, &err));
	expect_eq(WORKS(sc_qcreate, sc_qcreate(-1, 1, &err)), 254);
	WORKS(sc_qdelete, DO(sc_qdelete(255, 0, &err)));
	expect_eq(WORKS(sc_qcreate, sc_qcreate(-1, 1, &err)), 255);
	FAILS(sc_qcreate, ER_IIP, sc_qcreate(256, 1, &err));
	FAILS(sc_qcreate, ER_IIP, sc_qcreate(1, -1, &err));
	FAILS(sc_qecreate, ER_IIP, sc_qecreate(1, 65536, 0, &err));
	FAILS(sc_qecreate, ER_IIP, sc_qecreate(1, 1, 2, &err));
	FAILS(sc_qpost, ER_QID, DO(sc_qpost(9, m, &err)));
	FAILS(sc_qjam, ER_QID, DO(sc_qjam(9, m, &err)));
	FAILS(sc_qbrdcst, ER_QID, DO(sc_qbrdcst(9, m, &err)));
	FAILS(sc_qpend, ER_QID, sc_qpend(9, 1, &err));
	FAILS(sc_qaccept, ER_QID, sc_qaccept(-1, &err));
	FAILS(sc_qinquiry, ER_QID, sc_qinquiry(256, NULL, &err));
	FAILS(sc_qdelete, ER_QID, DO(sc_qdelete(9, 1, &err)));
	FAILS(sc_qdelete, ER_IIP, DO(sc_qdelete(255, 2, &err)));
}

TASK_TEST(wait_for_a_message_ends_in_time)
{
	(void)sc_qcreate(Q, 1, &err);
	FAILS(sc_qpend, ER_TMO, sc_qpend(Q, 1, &err));
	FAILS(sc_qpend, ER_TMO, sc_qpend(Q, 7, &err));
	sc_qpost(Q, m, &err);
	expect_true(WORKS(sc_qpend, sc_qpend(Q, 0, &err)) == m);
}

static int code_of_wait;

static void wait_forever(void *unused)
{
	int code, pinfo[3];
	const char *message = sc_qpend(Q, 0, &code);

	(void)unused;
	code_of_wait = code;
	(void)sc_tinquiry(pinfo, 0, &code);
	if (code_of_wait)
		mark(code_of_wait == ER_DEL ? "deleted" : "broken");
	else
		mark(message == m ? "zero" : "one");
	mark(pinfo[0] == 5 ? "five" : "six");
}

static void start_waiters(void)
{
	spawn(wait_forever, 5, 100);
	until_waits(5);
	spawn(wait_forever, 6, 50);
	until_waits(6);
}

static void end_waiters(const char *marks)
{
	until_gone(5);
	until_gone(6);
	expect_marks(marks);
}

TEST(waiters_are_served_by_arrival)
{
	int pinfo[3];

	(void)sc_qcreate(Q, 0, &err);
	FAILS(sc_qpost, ER_QFL, DO(sc_qpost(Q, m, &err)));
	start_waiters();
	(void)sc_tinquiry(pinfo, 5, &err);
	expect_eq(pinfo[2], TBSQUEUE);
	/* Directly to the waiter: the queue has no room. */
	WORKS(sc_qpost, DO(sc_qpost(Q, m, &err)));
	until_gone(5);
	WORKS(sc_qjam, DO(sc_qjam(Q, m + 1, &err)));
	end_waiters("zero five one six");
}

TEST(waiters_are_served_by_priority)
{
	(void)sc_qecreate(Q, 1, 0, &err);
	start_waiters();
	WORKS(sc_qpost, DO(sc_qpost(Q, m, &err)));
	until_gone(6);
	WORKS(sc_qpost, DO(sc_qpost(Q, m + 1, &err)));
	end_waiters("zero six one five");
}

TEST(broadcast_reaches_all_waiters)
{
	(void)sc_qecreate(Q, 1, 0, &err);
	WORKS(sc_qbrdcst, DO(sc_qbrdcst(Q, m, &err)));
	start_waiters();
	WORKS(sc_qbrdcst, DO(sc_qbrdcst(Q, m, &err)));
	end_waiters("zero six zero five");
	FAILS(sc_qaccept, ER_NMP, sc_qaccept(Q, &err));
}

static void wait_and_fail(void *unused)
{
	(void)unused;
	FAILS(sc_qpend, ER_DEL, sc_qpend(Q, 0, &err));
	FAILS(sc_qpend, ER_QID, sc_qpend(Q, 0, &err));
	mark("told");
}

static void wait_until_broken(void *unused)
{
	(void)unused;
	FAILS(sc_qpend, VRTX_BROKEN, sc_qpend(Q, 9999, &err));
	mark("broken");
}

TEST(deletion_under_waiters_is_forced)
{
	(void)sc_qecreate(Q, 1, 0, &err);
	spawn(wait_until_broken, 7, 50);
	until_waits(7);
	expect_ok(tact_task_unblock(task_of(7), 0));
	until_gone(7);
	spawn(wait_and_fail, 5, 50);
	until_waits(5);
	FAILS(sc_qdelete, ER_PND, DO(sc_qdelete(Q, 0, &err)));
	sc_qdelete(Q, 1, &err);
	until_gone(5);
	expect_marks("broken told");
}

static void in_handler(void *unused)
{
	int count;

	(void)unused;
	FAILS(sc_qcreate, VRTX_NOT_HERE, sc_qcreate(1, 1, &err));
	FAILS(sc_qecreate, VRTX_NOT_HERE, sc_qecreate(1, 1, 0, &err));
	FAILS(sc_qdelete, VRTX_NOT_HERE, DO(sc_qdelete(Q, 0, &err)));
	FAILS(sc_qpend, VRTX_NOT_HERE, sc_qpend(Q, 0, &err));
	WORKS(sc_qpost, DO(sc_qpost(Q, m, &err)));
	FAILS(sc_qpost, ER_QFL, DO(sc_qpost(Q, m, &err)));
	expect_true(WORKS(sc_qinquiry, sc_qinquiry(Q, &count, &err)) == m);
	expect_eq(count, 1);
	expect_true(WORKS(sc_qpend, sc_qpend(Q, 0, &err)) == m);
	WORKS(sc_qjam, DO(sc_qjam(Q, m, &err)));
	expect_true(WORKS(sc_qaccept, sc_qaccept(Q, &err)) == m);
	WORKS(sc_qbrdcst, DO(sc_qbrdcst(Q, m, &err)));
}

TEST(handler_posts_and_does_not_wait)
{
	(void)sc_qcreate(Q, 1, &err);
	test_in_handler(in_handler, NULL);
	/* The number was not lost by the creation that was refused. */
	(void)WORKS(sc_qcreate, sc_qcreate(1, 1, &err));
}
