/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message buffers, rendezvous and memory pools. Calls that receive have other parameters than in
 * µITRON 3.02, so the cases are written for each version. */
#include "uitron4_test.h"

static void read_buffer(void)
{
	char text[8];

	expect_eq(WORKS(rcv_mbf, rcv_mbf(5, text)), 3);
	expect_true(!memcmp(text, "abc", 3));
	mark("read");
}

static void write_buffer(void)
{
	WORKS(snd_mbf, snd_mbf(5, "abc", 3));
	mark("written");
}

TEST(messages_keep_their_lengths)
{
	T_CMBF none = {TA_TFIFO, 8, 0, NULL};
	char text[8];
	T_RMBF info;
	ER_ID id;

	WORKS(cre_mbf, cre_mbf(5, &cmbf));
	WORKS(psnd_mbf, psnd_mbf(5, "12345678", 8));
	start(3, 10, write_buffer);
	WORKS(ref_mbf, ref_mbf(5, &info));
	expect_eq(info.stskid, 3);
	expect_eq(info.smsgcnt, 1);
	expect_eq(WORKS(prcv_mbf, prcv_mbf(5, text)), 8);
	expect_eq(WORKS(trcv_mbf, trcv_mbf(5, text, 1)), 3);
	until_dormant(3);
	start(3, 10, read_buffer);
	expect_ok(ref_mbf(5, &info));
	expect_eq(info.rtskid, 3);
	expect_eq(info.fmbfsz, 12);
	WORKS(tsnd_mbf, tsnd_mbf(5, "abc", 3, 1));
	until_dormant(3);
	expect_marks("written read");
	FAILS(snd_mbf, E_PAR, snd_mbf(5, bytes, 9));
	FAILS(psnd_mbf, E_PAR, psnd_mbf(5, bytes, 0));
	WORKS(del_mbf, del_mbf(5));
	id = WORKS(acre_mbf, acre_mbf(&none));
	FAILS(psnd_mbf, E_TMOUT, psnd_mbf(id, bytes, 1));
	none.maxmsz = 0;
	FAILS(cre_mbf, E_PAR, cre_mbf(6, &none));
}

static RDVNO rendezvous;

static void serve(void)
{
	char text[16];
	T_RRDV info;

	expect_eq(WORKS(acp_por, acp_por(5, 2, &rendezvous, text)), 4);
	expect_true(!memcmp(text, "call", 4));
	WORKS(ref_rdv, ref_rdv(rendezvous, &info));
	expect_eq(info.wtskid, 4);
	mark("accepts");
	WORKS(rpl_rdv, rpl_rdv(rendezvous, "reply", 5));
	expect_ok(ref_rdv(rendezvous, &info));
	expect_eq(info.wtskid, 0);
	mark("replied");
}

static void call(void)
{
	char text[16] = "call";

	expect_eq(WORKS(cal_por, cal_por(5, 3, text, 4)), 5);
	expect_true(!memcmp(text, "reply", 5));
	mark("answered");
}

TEST(call_gets_the_reply_of_its_server)
{
	T_RPOR info;

	WORKS(cre_por, cre_por(5, &cpor));
	start(3, 10, serve);
	WORKS(ref_por, ref_por(5, &info));
	expect_eq(info.atskid, 3);
	expect_eq(info.ctskid, 0);
	start(4, 11, call);
	until_dormant(4);
	start(4, 11, call);
	expect_ok(ref_por(5, &info));
	expect_eq(info.ctskid, 4);
	start(3, 10, serve);
	until_dormant(4);
	expect_marks("accepts replied answered accepts replied answered");
	FAILS(rpl_rdv, E_OBJ, rpl_rdv(rendezvous, bytes, 1));
	FAILS(cal_por, E_CTX, cal_por(5, 1, bytes, 4));
	FAILS(cal_por, E_PAR, cal_por(5, 0, bytes, 4));
	FAILS(tcal_por, E_PAR, tcal_por(5, 1, bytes, 17, 1));
	FAILS(acp_por, E_PAR, acp_por(5, 0, &rendezvous, bytes));
	WORKS(del_por, del_por(5));
}

static void call_in_time(void)
{
	char text[16] = "call";

	FAILS(tcal_por, E_TMOUT, tcal_por(5, 1, text, 4, 3));
	mark("late");
	expect_eq(WORKS(tcal_por, tcal_por(5, 1, text, 4, LONG)), 5);
	mark("answered");
}

static void sleep_a_little(void)
{
	expect_ok(dly_tsk(20));
}

TEST(timeout_of_a_call_is_for_the_whole_rendezvous)
{
	char text[16];
	RDVNO first;
	ER_ID id = WORKS(acre_por, acre_por(&cpor));

	expect_eq(id, 1);
	expect_ok(cre_por(5, &cpor));
	start(4, 9, call_in_time);
	FAILS(pacp_por, E_TMOUT, pacp_por(5, 2, &first, text));
	expect_eq(WORKS(pacp_por, pacp_por(5, 1, &first, text)), 4);
	in_task(sleep_a_little);
	FAILS(rpl_rdv, E_OBJ, rpl_rdv(first, "reply", 5));
	expect_eq(WORKS(tacp_por, tacp_por(5, 1, &first, text, LONG)), 4);
	expect_ok(rpl_rdv(first, "reply", 5));
	until_dormant(4);
	expect_marks("late answered");
}

static void serve_forwarded(void)
{
	char text[16];

	expect_eq(acp_por(6, 8, &rendezvous, text), 2);
	mark("second");
	expect_ok(rpl_rdv(rendezvous, "reply", 5));
}

TEST(forwarded_call_is_answered_by_the_other_port)
{
	T_CPOR wide = {TA_TFIFO, 16, 32};
	char text[16];
	RDVNO first;

	expect_ok(cre_por(5, &cpor));
	expect_ok(cre_por(6, &cpor));
	expect_ok(cre_por(7, &wide));
	start(3, 10, serve_forwarded);
	start(4, 9, call);
	expect_eq(pacp_por(5, 1, &first, text), 4);
	FAILS(fwd_por, E_PAR, fwd_por(6, 0, first, "on", 2));
	FAILS(fwd_por, E_ILUSE, fwd_por(7, 8, first, "on", 2));
	FAILS(rpl_rdv, E_PAR, rpl_rdv(first, bytes, 17));
	WORKS(fwd_por, fwd_por(6, 8, first, "on", 2));
	until_dormant(4);
	expect_marks("second answered");
	FAILS(fwd_por, E_OBJ, fwd_por(6, 8, first, "on", 2));
}

static void get_fixed(void)
{
	VP block = NULL;

	WORKS(get_mpf, get_mpf(5, &block));
	mark("fixed");
	WORKS(rel_mpf, rel_mpf(5, block));
}

TEST(block_of_one_size_goes_to_the_waiter)
{
	VP block = NULL;
	T_RMPF info;
	ER_ID id = WORKS(acre_mpf, acre_mpf(&cmpf));

	expect_eq(id, 1);
	WORKS(cre_mpf, cre_mpf(5, &cmpf));
	WORKS(pget_mpf, pget_mpf(5, &block));
	memset(block, 0xff, 32);
	start(3, 10, get_fixed);
	WORKS(ref_mpf, ref_mpf(5, &info));
	expect_eq(info.wtskid, 3);
	expect_eq(info.fblkcnt, 0);
	expect_ok(rel_mpf(5, block));
	until_dormant(3);
	expect_marks("fixed");
	WORKS(tget_mpf, tget_mpf(5, &block, 1));
	FAILS(rel_mpf, E_PAR, rel_mpf(5, bytes));
	WORKS(del_mpf, del_mpf(5));
	cmpf.blkcnt = 0;
	FAILS(cre_mpf, E_PAR, cre_mpf(5, &cmpf));
}

static void get_variable(void)
{
	VP block = NULL;

	WORKS(get_mpl, get_mpl(1, 64, &block));
	mark("variable");
	WORKS(rel_mpl, rel_mpl(1, block));
}

TEST(block_of_any_size_goes_to_the_waiter)
{
	VP kept = NULL;
	VP block = NULL;
	T_RMPL info;
	ER_ID id;

	WORKS(cre_mpl, cre_mpl(1, &cmpl));
	WORKS(pget_mpl, pget_mpl(1, 512, &kept));
	WORKS(tget_mpl, tget_mpl(1, 1, &block, 1));
	set_up();
	start(3, 10, get_variable);
	WORKS(ref_mpl, ref_mpl(1, &info));
	expect_eq(info.wtskid, 3);
	expect_true(info.fblksz < 64);
	expect_ok(rel_mpl(1, kept));
	until_dormant(3);
	expect_marks("variable");
	FAILS(rel_mpl, E_PAR, rel_mpl(1, bytes));
	FAILS(get_mpl, E_PAR, get_mpl(1, 0, &block));
	FAILS(pget_mpl, E_PAR, pget_mpl(1, 513, &block));
	id = WORKS(acre_mpl, acre_mpl(&cmpl));
	WORKS(del_mpl, del_mpl(id));
	cmpl.mplsz = 0;
	FAILS(cre_mpl, E_PAR, cre_mpl(5, &cmpl));
}
