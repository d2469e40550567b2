/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues of both kinds: order of messages and of waiters, limits, timeouts, deletion, callers. */
#include "psos_test.h"

#include <stdio.h>

static unsigned long queue;

static void receive_word(unsigned long name, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long message[4];
	unsigned long code = q_receive(queue, Q_WAIT, 0, message);

	(void)b, (void)c, (void)d;
	if (code)
		mark(code == ERR_QKILLD ? "killed" : "other");
	else
		mark(message[3] == message[0] + 3 ? (const char *)name : "mixed");
}

static void three_receivers(void)
{
	static const char *const name[3] = {"LOW", "HIGH", "MID"};
	static const unsigned long prio[3] = {10, 30, 20};

	for (int i = 0; i < 3; i++) {
		(void)start(name[i], prio[i], receive_word, (unsigned long)name[i]);
		until_waits(name[i]);
	}
}

static void serve(unsigned long flags, const char *expected)
{
	unsigned long message[4] = {1ul << 40, 2, 3, (1ul << 40) + 3};

	expect_ok(q_create("QUE1", 3, flags, &queue));
	three_receivers();
	for (int i = 0; i < 3; i++) {
		(void)WORKS(q_send, q_send(queue, message));
		expect_ok(tm_wkafter(1));
	}
	expect_marks(expected);
}

TEST(fifo_serves_receivers_in_order_of_arrival)
{
	serve(Q_FIFO | Q_LIMIT, "LOW HIGH MID");
}

TEST(prior_serves_receivers_by_priority)
{
	serve(Q_PRIOR, "HIGH MID LOW");
}

TEST(messages_are_four_whole_words_in_order)
{
	unsigned long message[4] = {~0ul, 1ul << 63, 3, 1};
	unsigned long got[4] = {0};

	(void)WORKS(q_create, q_create("QUE1", 3, Q_LIMIT | Q_PRIBUF | Q_GLOBAL, &queue));
	FAILS(q_receive, ERR_NOMSG, q_receive(queue, Q_NOWAIT, 0, got));
	(void)WORKS(q_send, q_send(queue, message));
	message[3] = 2;
	(void)WORKS(q_send, q_send(queue, message));
	message[3] = 3;
	(void)WORKS(q_urgent, q_urgent(queue, message));
	FAILS(q_send, ERR_QFULL, q_send(queue, message));
	FAILS(q_urgent, ERR_QFULL, q_urgent(queue, message));
	for (unsigned long expected = 0; expected < 3; expected++) {
		static const unsigned long last[3] = {3, 1, 2};

		(void)WORKS(q_receive, q_receive(queue, Q_WAIT, 0, got));
		expect_eq(got[0], ~0ul);
		expect_eq(got[1], 1ul << 63);
		expect_eq(got[3], last[expected]);
	}
	(void)WORKS(q_send, q_send(queue, message));
	/* Dropped. */
	(void)WORKS(q_receive, q_receive(queue, Q_WAIT, 0, NULL));
	FAILS(q_receive, ERR_TIMEOUT, q_receive(queue, Q_WAIT, 2, got));
	(void)WORKS(q_delete, q_delete(queue));
}

TEST(a_limit_of_no_message_needs_a_waiter)
{
	unsigned long message[4] = {0, 0, 0, 3};

	(void)WORKS(q_create, q_create("QUE0", 0, Q_LIMIT, &queue));
	FAILS(q_send, ERR_QFULL, q_send(queue, message));
	(void)start("ONE", 10, receive_word, (unsigned long)"one");
	until_waits("ONE");
	(void)WORKS(q_send, q_send(queue, message));
	expect_ok(tm_wkafter(1));
	expect_marks("one");
	FAILS(q_send, ERR_QFULL, q_send(queue, message));
}

TEST(a_queue_without_a_limit_ends_with_its_buffers)
{
	unsigned long message[4] = {0};
	unsigned long got[4];

	/* The default of kc_nmsgbuf; count is not looked at. */
	(void)WORKS(q_create, q_create("QUEN", 1, Q_NOLIMIT, &queue));
	for (unsigned long i = 0; i < 1000; i++) {
		message[2] = i;
		(void)WORKS(q_send, q_send(queue, message));
	}
	FAILS(q_send, ERR_NOMGB, q_send(queue, message));
	FAILS(q_urgent, ERR_NOMGB, q_urgent(queue, message));
	for (unsigned long i = 0; i < 1000; i++) {
		(void)WORKS(q_receive, q_receive(queue, Q_NOWAIT, 0, got));
		expect_eq(got[2], i);
	}
	(void)WORKS(q_delete, q_delete(queue));
}

TEST(a_broadcast_serves_all_that_wait)
{
	unsigned long message[4] = {0, 0, 0, 3};
	unsigned long count = 77;

	expect_ok(q_create("QUE1", 1, Q_LIMIT | Q_PRIOR, &queue));
	(void)WORKS(q_broadcast, q_broadcast(queue, message, &count));
	expect_eq(count, 0);
	FAILS(q_receive, ERR_NOMSG, q_receive(queue, Q_NOWAIT, 0, message));
	three_receivers();
	(void)WORKS(q_broadcast, q_broadcast(queue, message, &count));
	expect_eq(count, 3);
	expect_ok(tm_wkafter(1));
	expect_marks("HIGH MID LOW");
	(void)WORKS(q_broadcast, q_broadcast(queue, message, NULL));
}

TEST(deletion_tells_of_waiters_and_of_messages)
{
	unsigned long message[4] = {0};

	expect_ok(q_create("QUE1", 1, Q_LIMIT | Q_PRIOR, &queue));
	three_receivers();
	FAILS(q_delete, ERR_TATQDEL, q_delete(queue));
	expect_ok(tm_wkafter(1));
	expect_marks("killed killed killed");
	expect_ok(q_create("QUE2", 1, Q_LIMIT, &queue));
	expect_ok(q_send(queue, message));
	FAILS(q_delete, ERR_MATQDEL, q_delete(queue));
	FAILS(q_delete, ERR_OBJDEL, q_delete(queue));
}

static void is_killed(unsigned long variable, unsigned long b, unsigned long c, unsigned long d)
{
	char buffer[64];

	(void)b, (void)c, (void)d;
	if (variable)
		FAILS(q_vreceive, ERR_QKILLD,
		      q_vreceive(queue, Q_WAIT, 0, buffer, sizeof(buffer), NULL));
	else
		FAILS(q_receive, ERR_QKILLD, q_receive(queue, Q_WAIT, 0, (unsigned long *)buffer));
	mark("killed");
}

TEST(a_receiver_learns_of_the_deletion)
{
	expect_ok(q_create("QUE1", 1, Q_LIMIT, &queue));
	(void)start("FIX", 10, is_killed, 0);
	until_waits("FIX");
	FAILS(q_delete, ERR_TATQDEL, q_delete(queue));
	expect_ok(tm_wkafter(1));
	expect_ok(q_vcreate("QUE2", 0, 1, 64, &queue));
	(void)start("VAR", 10, is_killed, 1);
	until_waits("VAR");
	FAILS(q_vdelete, ERR_TATQDEL, q_vdelete(queue));
	expect_ok(tm_wkafter(1));
	expect_marks("killed killed");
}

TEST(messages_of_variable_length_keep_it)
{
	char buffer[100];
	unsigned long length = 0;
	unsigned long count = 1;

	(void)WORKS(q_vcreate, q_vcreate("VQUE", Q_PRIOR | Q_GLOBAL, 3, 100, &queue));
	(void)WORKS(q_vsend, q_vsend(queue, "one", 4));
	(void)WORKS(q_vsend, q_vsend(queue, NULL, 0));
	(void)WORKS(q_vurgent, q_vurgent(queue, "urgent", 7));
	FAILS(q_vsend, ERR_QFULL, q_vsend(queue, "x", 1));
	FAILS(q_vurgent, ERR_QFULL, q_vurgent(queue, "x", 1));
	FAILS(q_vreceive, ERR_BUFSIZ, q_vreceive(queue, Q_WAIT, 0, buffer, 99, &length));
	(void)WORKS(q_vreceive, q_vreceive(queue, Q_WAIT, 0, buffer, 100, &length));
	expect_eq(length, 7);
	expect_str(buffer, "urgent");
	(void)WORKS(q_vreceive, q_vreceive(queue, Q_NOWAIT, 0, buffer, 100, NULL));
	expect_str(buffer, "one");
	(void)WORKS(q_vreceive, q_vreceive(queue, Q_NOWAIT, 0, buffer, 100, &length));
	expect_eq(length, 0);
	FAILS(q_vreceive, ERR_NOMSG, q_vreceive(queue, Q_NOWAIT, 0, buffer, 100, &length));
	FAILS(q_vreceive, ERR_TIMEOUT, q_vreceive(queue, Q_WAIT, 1, buffer, 100, &length));
	FAILS(q_vsend, ERR_MSGSIZ, q_vsend(queue, buffer, 101));
	FAILS(q_vurgent, ERR_MSGSIZ, q_vurgent(queue, buffer, ~0ul));
	FAILS(q_vbroadcast, ERR_MSGSIZ, q_vbroadcast(queue, buffer, 101, &count));
	(void)WORKS(q_vbroadcast, q_vbroadcast(queue, buffer, 100, &count));
	expect_eq(count, 0);
	(void)WORKS(q_vsend, q_vsend(queue, buffer, 100));
	FAILS(q_vdelete, ERR_MATQDEL, q_vdelete(queue));
	(void)WORKS(q_vcreate, q_vcreate("EMPT", 0, 2, 0, &queue));
	(void)WORKS(q_vsend, q_vsend(queue, NULL, 0));
	FAILS(q_vsend, ERR_MSGSIZ, q_vsend(queue, "x", 1));
	(void)WORKS(q_vreceive, q_vreceive(queue, Q_NOWAIT, 0, NULL, 0, &length));
	(void)WORKS(q_vdelete, q_vdelete(queue));
}

TEST(each_kind_has_its_own_calls)
{
	unsigned long fixed;
	unsigned long variable;
	unsigned long found;
	unsigned long words[4] = {0};

	expect_ok(q_create("FIXD", 1, Q_LIMIT, &fixed));
	expect_ok(q_vcreate("VARI", 0, 1, 32, &variable));
	FAILS(q_send, ERR_VARQ, q_send(variable, words));
	FAILS(q_urgent, ERR_VARQ, q_urgent(variable, words));
	FAILS(q_broadcast, ERR_VARQ, q_broadcast(variable, words, NULL));
	FAILS(q_receive, ERR_VARQ, q_receive(variable, Q_NOWAIT, 0, words));
	FAILS(q_delete, ERR_VARQ, q_delete(variable));
	FAILS(q_vsend, ERR_NOTVARQ, q_vsend(fixed, words, 1));
	FAILS(q_vurgent, ERR_NOTVARQ, q_vurgent(fixed, words, 1));
	FAILS(q_vbroadcast, ERR_NOTVARQ, q_vbroadcast(fixed, words, 1, NULL));
	FAILS(q_vreceive, ERR_NOTVARQ, q_vreceive(fixed, Q_NOWAIT, 0, words, 32, NULL));
	FAILS(q_vdelete, ERR_NOTVARQ, q_vdelete(fixed));
	/* Both find both. */
	(void)WORKS(q_ident, q_ident("VARI", 0, &found));
	expect_eq(found, variable);
	(void)WORKS(q_vident, q_vident("FIXD", 0, &found));
	expect_eq(found, fixed);
	FAILS(q_ident, ERR_NODENO, q_ident("FIXD", 1, &found));
	FAILS(q_ident, ERR_OBJNF, q_ident("NONE", 0, &found));
	FAILS(q_vident, ERR_NODENO, q_vident("FIXD", 9, &found));
	FAILS(q_vident, ERR_OBJNF, q_vident("NONE", 0, &found));
}

TEST(wrong_arguments_are_refused)
{
	unsigned long words[4] = {0};

	FAILS(q_create, ERR_SSFN, q_create("Q", 1, 0x100, &queue));
	FAILS(q_vcreate, ERR_SSFN, q_vcreate("Q", 0x100, 1, 1, &queue));
	FAILS(q_create, ERR_NOMGB, q_create("Q", ~0ul, Q_LIMIT, &queue));
	FAILS(q_vcreate, ERR_NOMGB, q_vcreate("Q", 0, 1ul << 20, 1ul << 20, &queue));
	FAILS(q_vcreate, ERR_NOMGB, q_vcreate("Q", 0, 1, ~0ul, &queue));
	expect_ok(q_create("FIXD", 1, Q_LIMIT, &queue));
	FAILS(q_send, ERR_SSFN, q_send(queue, NULL));
	FAILS(q_urgent, ERR_SSFN, q_urgent(queue, NULL));
	FAILS(q_broadcast, ERR_SSFN, q_broadcast(queue, NULL, NULL));
	FAILS(q_receive, ERR_SSFN, q_receive(queue, 0x10, 0, words));
	FAILS(q_asend, ERR_SSFN, q_asend(queue, words));
	FAILS(q_aurgent, ERR_SSFN, q_aurgent(queue, words));
	expect_ok(q_vcreate("VARI", 0, 1, 32, &queue));
	FAILS(q_vsend, ERR_SSFN, q_vsend(queue, NULL, 1));
	FAILS(q_vurgent, ERR_SSFN, q_vurgent(queue, NULL, 32));
	FAILS(q_vbroadcast, ERR_SSFN, q_vbroadcast(queue, NULL, 1, NULL));
	FAILS(q_vreceive, ERR_SSFN, q_vreceive(queue, 0x10, 0, words, 32, NULL));
	FAILS(q_avsend, ERR_SSFN, q_avsend(queue, words, 1));
	FAILS(q_avurgent, ERR_SSFN, q_avurgent(queue, words, 1));
}

static void in_handler(void *unused)
{
	unsigned long words[4] = {0, 0, 0, 3};
	unsigned long other;

	(void)unused;
	FAILS(q_create, ERR_SSFN, q_create("Q", 1, Q_LIMIT, &other));
	FAILS(q_vcreate, ERR_SSFN, q_vcreate("Q", 0, 1, 1, &other));
	FAILS(q_delete, ERR_SSFN, q_delete(queue));
	FAILS(q_vdelete, ERR_SSFN, q_vdelete(queue));
	FAILS(q_receive, ERR_SSFN, q_receive(queue, Q_WAIT, 0, words));
	(void)WORKS(q_send, q_send(queue, words));
	(void)WORKS(q_receive, q_receive(queue, Q_NOWAIT, 0, words));
	(void)WORKS(q_urgent, q_urgent(queue, words));
	mark("handler");
}

TEST(handlers_send)
{
	expect_ok(q_create("QUE1", 2, Q_LIMIT, &queue));
	test_in_handler(in_handler, NULL);
	(void)start("ONE", 10, receive_word, (unsigned long)"one");
	expect_ok(tm_wkafter(1));
	expect_marks("handler one");
}
