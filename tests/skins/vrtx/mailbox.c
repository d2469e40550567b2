/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mailboxes: words of the program. */
#include "vrtx_check.h"

static char *box, *other;
static char one[] = "one", two[] = "two";

TASK_TEST(message_stays_in_the_word)
{
	WORKS(sc_post, DO(sc_post(&box, one, &err)));
	expect_true(box == one);
	FAILS(sc_post, ER_MIU, DO(sc_post(&box, two, &err)));
	expect_true(WORKS(sc_pend, sc_pend(&box, 1, &err)) == one);
	expect_true(box == NULL);
	FAILS(sc_accept, ER_NMP, sc_accept(&box, &err));
	FAILS(sc_post, ER_ZMW, DO(sc_post(&box, NULL, &err)));
	/* The program fills it itself. */
	other = two;
	expect_true(WORKS(sc_accept, sc_accept(&other, &err)) == two);
	expect_true(other == NULL);
}

TASK_TEST(arguments_are_checked)
{
	char **crooked = (char **)(void *)((char *)&box + 1);

	FAILS(sc_post, ER_IIP, DO(sc_post(NULL, one, &err)));
	FAILS(sc_post, ER_IIP, DO(sc_post(crooked, one, &err)));
	FAILS(sc_pend, ER_IIP, sc_pend(NULL, 1, &err));
	FAILS(sc_accept, ER_IIP, sc_accept(crooked, &err));
}

TASK_TEST(timeouts_end_with_a_tick)
{
	uint64_t begin = tact_now().ns / TICK_NS;

	FAILS(sc_pend, ER_TMO, sc_pend(&box, 1, &err));
	FAILS(sc_pend, ER_TMO, sc_pend(&box, 20, &err));
	expect_true(tact_now().ns >= (begin + 21) * TICK_NS);
	if (test_on_sim())
		expect_true(tact_now().ns < (begin + 21) * TICK_NS + 1000);
}

static void wait_forever(void *unused)
{
	int code, pinfo[3];
	char *message = sc_pend(&box, 0, &code);

	(void)unused;
	(void)sc_tinquiry(pinfo, 0, &code);
	mark(message == one ? "one" : message == two ? "two" : "none");
	mark(pinfo[0] == 5 ? "low" : "high");
}

TEST(most_urgent_task_gets_the_message_at_once)
{
	spawn(wait_forever, 5, 100);
	until_waits(5);
	spawn(wait_forever, 6, 50);
	until_waits(6);
	WORKS(sc_post, DO(sc_post(&box, one, &err)));
	/* It has it, so there is room for the next one. */
	WORKS(sc_post, DO(sc_post(&box, two, &err)));
	until_gone(5);
	until_gone(6);
	expect_true(box == NULL);
	expect_marks("one high two low");
}

static void wait_and_fail(void *unused)
{
	(void)unused;
	FAILS(sc_pend, VRTX_BROKEN, sc_pend(&box, 0, &err));
	mark("broken");
}

TEST(deleted_and_unblocked_tasks_leave_the_mailbox)
{
	spawn(wait_forever, 7, 20);
	until_waits(7);
	sc_tdelete(7, 0, &err);
	spawn(wait_and_fail, 8, 20);
	until_waits(8);
	expect_ok(tact_task_unblock(task_of(8), 0));
	until_gone(8);
	WORKS(sc_post, DO(sc_post(&box, one, &err)));
	expect_true(box == one);
	expect_marks("broken");
}

static void in_handler(void *unused)
{
	(void)unused;
	FAILS(sc_pend, VRTX_NOT_HERE, sc_pend(&box, 0, &err));
	FAILS(sc_pend, VRTX_NOT_HERE, sc_pend(&box, 5, &err));
	FAILS(sc_accept, ER_NMP, sc_accept(&box, &err));
	WORKS(sc_post, DO(sc_post(&box, one, &err)));
	expect_true(WORKS(sc_pend, sc_pend(&box, 0, &err)) == one);
	WORKS(sc_post, DO(sc_post(&other, two, &err)));
}

static void wait_at_other(void *unused)
{
	int code;

	(void)unused;
	mark(sc_pend(&other, 0, &code) == two ? "two" : "none");
}

TEST(handler_posts_and_does_not_wait)
{
	spawn(wait_at_other, 5, 100);
	until_waits(5);
	test_in_handler(in_handler, NULL);
	until_gone(5);
	expect_marks("two");
}
