/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores, event flags, data queues, mailboxes and mutexes. */
#include "uitron4_test.h"

static ID waited;

/* Three tasks that wait, of priorities 12, 10 and 11 in the order of their arrival. */
static void three(void (*body)(VP_INT), ID id)
{
	static const PRI priority[] = {12, 10, 11};
	static const char *const name[] = {"first", "second", "third"};

	waited = id;
	for (int i = 0; i < 3; i++) {
		T_CTSK packet = {TA_ACT, (VP_INT)name[i], (FP)body, priority[i], 0, NULL};

		expect_ok(cre_tsk(30 + i, &packet));
		until_rests(30 + i);
	}
}

static void take(VP_INT name)
{
	WORKS(wai_sem, wai_sem(waited));
	mark((const char *)name);
}

TEST(semaphore_serves_in_its_order)
{
	T_RSEM info;
	ER_ID id = WORKS(acre_sem, acre_sem(&csem));

	three(take, id);
	WORKS(ref_sem, ref_sem(id, &info));
	expect_eq(info.wtskid, 30);
	for (int i = 0; i < 3; i++)
		WORKS(sig_sem, sig_sem(id));
	for (int i = 30; i < 33; i++) {
		until_dormant(i);
		expect_ok(del_tsk(i));
	}
	WORKS(del_sem, del_sem(id));
	csem.sematr = TA_TPRI;
	WORKS(cre_sem, cre_sem(5, &csem));
	three(take, 5);
	expect_ok(ref_sem(5, &info));
	expect_eq(info.wtskid, 31);
	for (int i = 0; i < 3; i++)
		WORKS(isig_sem, isig_sem(5));
	until_dormant(30);
	expect_marks("first second third second third first");
	for (int i = 0; i < 100; i++)
		expect_ok(sig_sem(5));
	FAILS(sig_sem, E_QOVR, sig_sem(5));
	FAILS(isig_sem, E_QOVR, isig_sem(5));
	WORKS(pol_sem, pol_sem(5));
	WORKS(twai_sem, twai_sem(5, 1));
	csem.maxsem = 0;
	FAILS(cre_sem, E_PAR, cre_sem(6, &csem));
	FAILS(acre_sem, E_PAR, acre_sem(&csem));
}

TEST(ids_run_out)
{
	for (ID id = 1; id <= 32767; id++)
		expect_ok(cre_sem(id, &csem));
	FAILS(acre_sem, E_NOID, acre_sem(&csem));
}

static void wait_bits(VP_INT name)
{
	FLGPTN seen = 0;

	WORKS(wai_flg, wai_flg(waited, 3, TWF_ANDW, &seen));
	expect_eq(seen & 3, 3);
	mark((const char *)name);
}

TEST(bits_release_tasks_and_are_cleared)
{
	T_CFLG single = {TA_WSGL | TA_CLR, 4};
	FLGPTN seen;
	T_RFLG info;
	ER_ID id;

	WORKS(cre_flg, cre_flg(5, &cflg));
	three(wait_bits, 5);
	WORKS(set_flg, set_flg(5, 1));
	WORKS(ref_flg, ref_flg(5, &info));
	expect_eq(info.wtskid, 30);
	expect_eq(info.flgptn, 1);
	WORKS(iset_flg, iset_flg(5, 2));
	for (ID task = 30; task < 33; task++)
		until_dormant(task);
	WORKS(clr_flg, clr_flg(5, 1));
	FAILS(pol_flg, E_TMOUT, pol_flg(5, 2, TWF_ORW, &seen));
	WORKS(pol_flg, pol_flg(5, 3, TWF_ORW, &seen));
	expect_eq(seen, 1);
	WORKS(del_flg, del_flg(5));
	id = WORKS(acre_flg, acre_flg(&single));
	WORKS(twai_flg, twai_flg(id, 4, TWF_ORW, &seen, 1));
	expect_ok(ref_flg(id, &info));
	expect_eq(info.flgptn, 0);
	expect_ok(del_tsk(30));
	expect_ok(del_tsk(31));
	expect_ok(del_tsk(32));
	waited = id;
	single.flgatr = TA_ACT;
	{
		T_CTSK packet = {TA_ACT, (VP_INT) "one", (FP)wait_bits, 10, 0, NULL};

		expect_ok(cre_tsk(30, &packet));
		until_rests(30);
	}
	FAILS(wai_flg, E_ILUSE, wai_flg(id, 1, TWF_ORW, &seen));
	FAILS(pol_flg, E_ILUSE, pol_flg(id, 1, TWF_ORW, &seen));
	FAILS(twai_flg, E_ILUSE, twai_flg(id, 1, TWF_ORW, &seen, 1));
	FAILS(wai_flg, E_PAR, wai_flg(id, 0, TWF_ORW, &seen));
	FAILS(pol_flg, E_PAR, pol_flg(id, 1, 2, &seen));
}

static void receive_data(VP_INT name)
{
	VP_INT data = 0;

	WORKS(rcv_dtq, rcv_dtq(waited, &data));
	expect_eq(data, 77);
	mark((const char *)name);
}

static void send_data(void)
{
	WORKS(snd_dtq, snd_dtq(5, 3));
	mark("sent");
}

TEST(data_are_received_in_their_order)
{
	T_CDTQ two = {TA_TFIFO, 2, NULL};
	VP_INT data = 0;
	T_RDTQ info;

	WORKS(cre_dtq, cre_dtq(5, &two));
	WORKS(psnd_dtq, psnd_dtq(5, 1));
	WORKS(ipsnd_dtq, ipsnd_dtq(5, -2));
	FAILS(psnd_dtq, E_TMOUT, psnd_dtq(5, 3));
	start(3, 10, send_data);
	WORKS(ref_dtq, ref_dtq(5, &info));
	expect_eq(info.sdtqcnt, 2);
	expect_eq(info.stskid, 3);
	expect_eq(info.rtskid, 0);
	WORKS(prcv_dtq, prcv_dtq(5, &data));
	expect_eq(data, 1);
	until_dormant(3);
	expect_marks("sent");
	WORKS(fsnd_dtq, fsnd_dtq(5, 4));
	WORKS(trcv_dtq, trcv_dtq(5, &data, 1));
	expect_eq(data, 3);
	WORKS(ifsnd_dtq, ifsnd_dtq(5, 5));
	expect_ok(fsnd_dtq(5, 6));
	expect_ok(prcv_dtq(5, &data));
	expect_eq(data, 5);
	expect_ok(prcv_dtq(5, &data));
	expect_eq(data, 6);
	WORKS(del_dtq, del_dtq(5));
	two.dtqcnt = 0x10000000;
	FAILS(cre_dtq, E_PAR, cre_dtq(5, &two));
}

TEST(queue_without_memory_passes_data_on)
{
	T_CDTQ none = {TA_TFIFO, 0, NULL};
	T_RDTQ info;
	ER_ID id = WORKS(acre_dtq, acre_dtq(&none));

	FAILS(psnd_dtq, E_TMOUT, psnd_dtq(id, 77));
	FAILS(fsnd_dtq, E_ILUSE, fsnd_dtq(id, 77));
	FAILS(ifsnd_dtq, E_ILUSE, ifsnd_dtq(id, 77));
	three(receive_data, id);
	expect_ok(ref_dtq(id, &info));
	expect_eq(info.rtskid, 30);
	expect_eq(info.sdtqcnt, 0);
	WORKS(tsnd_dtq, tsnd_dtq(id, 77, 1));
	expect_ok(psnd_dtq(id, 77));
	expect_ok(ipsnd_dtq(id, 77));
	until_dormant(32);
	expect_marks("first second third");
}

static void receive(VP_INT name)
{
	T_MSG *got = NULL;

	WORKS(rcv_mbx, rcv_mbx(waited, &got));
	expect_true(got == &message);
	mark((const char *)name);
}

TEST(messages_are_received_in_their_order)
{
	static T_MSG_PRI mail[] = {{{0}, 3}, {{0}, 1}, {{0}, 3}, {{0}, 2}};
	static const int by_priority[] = {1, 3, 0, 2};
	T_CMBX sorted = {TA_MPRI, 3, NULL};
	T_MSG_PRI bad = {{0}, 4};
	T_MSG *got;
	T_RMBX info;
	ER_ID id = WORKS(acre_mbx, acre_mbx(&sorted));

	for (int i = 0; i < 4; i++)
		WORKS(snd_mbx, snd_mbx(id, &mail[i].msgque));
	FAILS(snd_mbx, E_PAR, snd_mbx(id, &bad.msgque));
	WORKS(ref_mbx, ref_mbx(id, &info));
	expect_true(info.pk_msg == &mail[1].msgque);
	for (int i = 0; i < 4; i++) {
		if (i % 2)
			WORKS(prcv_mbx, prcv_mbx(id, &got));
		else
			WORKS(trcv_mbx, trcv_mbx(id, &got, 1));
		expect_true(got == &mail[by_priority[i]].msgque);
	}
	WORKS(del_mbx, del_mbx(id));
	WORKS(cre_mbx, cre_mbx(5, &cmbx));
	three(receive, 5);
	expect_ok(ref_mbx(5, &info));
	expect_eq(info.wtskid, 30);
	expect_true(!info.pk_msg);
	for (int i = 0; i < 3; i++)
		expect_ok(snd_mbx(5, &message));
	until_dormant(32);
	expect_marks("first second third");
	sorted.maxmpri = 0;
	FAILS(cre_mbx, E_PAR, cre_mbx(6, &sorted));
}

static void lock_and_sleep(void)
{
	WORKS(loc_mtx, loc_mtx(5));
	FAILS(loc_mtx, E_ILUSE, loc_mtx(5));
	FAILS(ploc_mtx, E_ILUSE, ploc_mtx(5));
	FAILS(tloc_mtx, E_ILUSE, tloc_mtx(5, 1));
	WORKS(ploc_mtx, ploc_mtx(6));
	mark("locked");
	(void)slp_tsk();
	WORKS(unl_mtx, unl_mtx(5));
	mark("unlocked");
}

static void lock_second(void)
{
	FAILS(unl_mtx, E_ILUSE, unl_mtx(5));
	WORKS(tloc_mtx, tloc_mtx(5, LONG));
	mark("second");
}

static void lock_third(void)
{
	expect_ok(loc_mtx(6));
	mark("third");
	expect_ok(unl_mtx(6));
}

TEST(mutex_gives_its_owner_the_priority_of_waiters)
{
	T_CMTX plain = {TA_TFIFO, 0};
	T_RMTX info;
	T_RTSK task;
	ER_ID id;

	WORKS(cre_mtx, cre_mtx(5, &cmtx));
	expect_ok(cre_mtx(6, &plain));
	start(3, 20, lock_and_sleep);
	start(4, 10, lock_second);
	start(7, 5, lock_third);
	WORKS(ref_mtx, ref_mtx(5, &info));
	expect_eq(info.htskid, 3);
	expect_eq(info.wtskid, 4);
	expect_ok(ref_tsk(3, &task));
	expect_eq(task.tskpri, 10);
	expect_eq(task.tskbpri, 20);
	expect_ok(wup_tsk(3));
	until_dormant(7);
	/* The end of the task has unlocked what it had locked. */
	expect_marks("locked second unlocked third");
	expect_ok(ref_mtx(5, &info));
	expect_eq(info.htskid, 0);
	WORKS(del_mtx, del_mtx(5));
	id = WORKS(acre_mtx, acre_mtx(&cmtx));
	expect_eq(id, 1);
}

static void keep(void)
{
	expect_ok(loc_mtx(5));
	(void)slp_tsk();
}

static void lock_then_tell(void)
{
	expect_ok(loc_mtx(5));
	mark("locked");
}

TEST(terminated_task_gives_its_mutex_up)
{
	expect_ok(cre_mtx(5, &cmtx));
	start(3, 20, keep);
	start(4, 10, lock_then_tell);
	expect_ok(ter_tsk(3));
	until_dormant(4);
	expect_marks("locked");
}

static void use_ceiling(void)
{
	PRI priority;

	FAILS(loc_mtx, E_ILUSE, loc_mtx(6));
	expect_ok(loc_mtx(5));
	expect_ok(get_pri(TSK_SELF, &priority));
	expect_eq(priority, 8);
	FAILS(chg_pri, E_ILUSE, chg_pri(TSK_SELF, 7));
	expect_ok(chg_pri(TSK_SELF, 9));
	expect_ok(unl_mtx(5));
	expect_ok(get_pri(TSK_SELF, &priority));
	expect_eq(priority, 9);
	mark("ceiling");
}

TEST(ceiling_is_above_the_tasks_that_lock)
{
	T_CMTX ceiling = {TA_CEILING, 8};

	expect_ok(cre_mtx(5, &ceiling));
	ceiling.ceilpri = 15;
	expect_ok(cre_mtx(6, &ceiling));
	ceiling.ceilpri = 0;
	FAILS(cre_mtx, E_PAR, cre_mtx(7, &ceiling));
	start(3, 10, use_ceiling);
	until_dormant(3);
	expect_marks("ceiling");
	FAILS(unl_mtx, E_CTX, unl_mtx(5));
	FAILS(loc_mtx, E_CTX, loc_mtx(5));
}
