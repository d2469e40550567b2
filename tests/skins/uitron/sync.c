/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores, event flags, mailboxes: their counts, orders and deletions. */
#include "uitron_test.h"

static ID waited;

static void take(INT unused, VP name)
{
	(void)unused;
	WORKS(wai_sem, wai_sem(waited));
	mark(name);
}

/* Three tasks that wait, of priorities 12, 10 and 11 in the order of their arrival. */
static void three(void (*body)(INT, VP), ID id)
{
	static const PRI priority[] = {12, 10, 11};
	static const char *const name[] = {"first", "second", "third"};

	waited = id;
	for (int i = 0; i < 3; i++) {
		T_CTSK packet = {(VP)(uintptr_t)name[i], TA_HLNG, (FP)body, priority[i], 0};

		expect_ok(cre_tsk(30 + i, &packet));
		expect_ok(sta_tsk(30 + i, 0));
		until_rests(30 + i);
	}
}

TEST(semaphore_serves_in_order_of_arrival)
{
	T_RSEM info;

	WORKS(cre_sem, cre_sem(5, &csem));
	three(take, 5);
	WORKS(ref_sem, ref_sem(&info, 5));
	expect_eq(info.wtsk, 30);
	for (int i = 0; i < 3; i++)
		WORKS(sig_sem, sig_sem(5));
	until_dormant(31);
	expect_marks("first second third");
	WORKS(del_sem, del_sem(5));
}

TEST(semaphore_serves_by_priority)
{
	T_CSEM packet = {&packet, TA_TPRI, 0, 2};
	T_RSEM info;

	expect_ok(cre_sem(5, &packet));
	three(take, 5);
	expect_ok(ref_sem(&info, 5));
	expect_eq(info.wtsk, 31);
	expect_true(info.exinf == &packet);
	for (int i = 0; i < 3; i++)
		expect_ok(sig_sem(5));
	until_dormant(30);
	expect_marks("second third first");
}

TEST(semaphore_counts_to_its_maximum)
{
	T_CSEM packet = {NULL, TA_TFIFO, 1, 2};
	T_RSEM info;

	expect_ok(cre_sem(5, &packet));
	expect_ok(sig_sem(5));
	FAILS(sig_sem, E_QOVR, sig_sem(5));
	expect_ok(ref_sem(&info, 5));
	expect_eq(info.semcnt, 2);
	WORKS(preq_sem, preq_sem(5));
	WORKS(twai_sem, twai_sem(5, 10));
	FAILS(preq_sem, E_TMOUT, preq_sem(5));
	packet.isemcnt = 3;
	FAILS(cre_sem, E_PAR, cre_sem(6, &packet));
	packet.isemcnt = -1;
	FAILS(cre_sem, E_PAR, cre_sem(6, &packet));
}

static void wait_bits(INT unused, VP name)
{
	UINT seen = 0;

	(void)unused;
	WORKS(wai_flg, wai_flg(&seen, waited, 3, TWF_ANDW));
	expect_eq(seen & 3, 3);
	mark(name);
}

TEST(bits_release_all_that_wait_for_them)
{
	UINT seen = 0;
	T_RFLG info;

	WORKS(cre_flg, cre_flg(5, &cflg));
	three(wait_bits, 5);
	WORKS(set_flg, set_flg(5, 1));
	expect_marks("");
	WORKS(ref_flg, ref_flg(&info, 5));
	expect_eq(info.flgptn, 1);
	expect_eq(info.wtsk, 30);
	expect_ok(set_flg(5, 6));
	for (ID id = 30; id < 33; id++)
		until_dormant(id);
	WORKS(pol_flg, pol_flg(&seen, 5, 4, TWF_ORW));
	expect_eq(seen, 7);
	WORKS(clr_flg, clr_flg(5, 5));
	FAILS(pol_flg, E_TMOUT, pol_flg(&seen, 5, 7, TWF_ANDW));
	WORKS(twai_flg, twai_flg(&seen, 5, 3, TWF_ORW | TWF_CLR, 10));
	expect_eq(seen, 5);
	FAILS(pol_flg, E_TMOUT, pol_flg(&seen, 5, 7, TWF_ORW));
	WORKS(del_flg, del_flg(5));
}

TEST(flag_for_one_task_refuses_a_second_one)
{
	T_CFLG packet = {NULL, TA_WSGL, 0};
	T_CTSK waiter = {(VP)(uintptr_t) "first", TA_HLNG, (FP)wait_bits, 10, 0};
	UINT seen;

	expect_ok(cre_flg(5, &packet));
	waited = 5;
	expect_ok(cre_tsk(30, &waiter));
	expect_ok(sta_tsk(30, 0));
	until_rests(30);
	FAILS(wai_flg, E_OBJ, wai_flg(&seen, 5, 1, TWF_ORW));
	FAILS(pol_flg, E_OBJ, pol_flg(&seen, 5, 1, TWF_ORW));
	FAILS(twai_flg, E_OBJ, twai_flg(&seen, 5, 1, TWF_ORW, 1));
}

TEST(modes_and_patterns_of_flags_are_checked)
{
	UINT seen;

	expect_ok(cre_flg(5, &cflg));
	FAILS(wai_flg, E_PAR, wai_flg(&seen, 5, 0, TWF_ORW));
	FAILS(pol_flg, E_PAR, pol_flg(&seen, 5, 1, 4));
	FAILS(twai_flg, E_PAR, twai_flg(&seen, 5, 1, 0x80, 1));
}

static void receive(INT unused, VP name)
{
	T_MSG *got = NULL;

	(void)unused;
	WORKS(rcv_msg, rcv_msg(&got, waited));
	expect_true(got == &message);
	mark(name);
}

TEST(message_goes_to_the_first_that_waits)
{
	T_CMBX packet = {NULL, TA_TPRI, 2};
	T_RMBX info;
	T_MSG *got;

	WORKS(cre_mbx, cre_mbx(5, &packet));
	three(receive, 5);
	WORKS(ref_mbx, ref_mbx(&info, 5));
	expect_eq(info.wtsk, 31);
	expect_true(info.pk_msg == (T_MSG *)NADR);
	for (int i = 0; i < 3; i++)
		WORKS(snd_msg, snd_msg(5, &message));
	until_dormant(30);
	expect_marks("second third first");
	FAILS(prcv_msg, E_TMOUT, prcv_msg(&got, 5));
	WORKS(del_mbx, del_mbx(5));
}

TEST(messages_are_received_in_their_order)
{
	static T_MSG mail[] = {{3, {0}}, {1, {0}}, {3, {1}}, {2, {0}}};
	static const int by_priority[] = {1, 3, 0, 2};
	T_CMBX packet = {NULL, TA_MFIFO, 4};
	T_MSG none = {0, {0}};
	T_MSG *got;
	T_RMBX info;

	expect_ok(cre_mbx(5, &packet));
	packet.mbxatr = TA_MPRI;
	expect_ok(cre_mbx(6, &packet));
	for (int i = 0; i < 4; i++) {
		expect_ok(snd_msg(5, &mail[i]));
		expect_ok(snd_msg(6, &mail[i]));
	}
	FAILS(snd_msg, E_QOVR, snd_msg(5, &mail[0]));
	FAILS(snd_msg, E_PAR, snd_msg(6, &none));
	expect_ok(ref_mbx(&info, 6));
	expect_true(info.pk_msg == &mail[1]);
	for (int i = 0; i < 4; i++) {
		WORKS(prcv_msg, prcv_msg(&got, 5));
		expect_true(got == &mail[i]);
		WORKS(trcv_msg, trcv_msg(&got, 6, 10));
		expect_true(got == &mail[by_priority[i]]);
	}
	expect_ok(snd_msg(5, &none));
}

TEST(default_mailbox_holds_many_messages)
{
	T_CMBX packet = {NULL, TA_TFIFO, 0};

	expect_ok(cre_mbx(5, &packet));
	for (int i = 0; i < 64; i++)
		expect_ok(snd_msg(5, &message));
	FAILS(snd_msg, E_QOVR, snd_msg(5, &message));
	packet.bufcnt = -1;
	FAILS(cre_mbx, E_PAR, cre_mbx(6, &packet));
}
