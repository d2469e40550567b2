/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message buffers, rendezvous and memory pools. Calls that receive have other parameters than in
 * µITRON 4.0, so the cases are written for each version. */
#include "uitron_test.h"

#include <stdio.h>

static void read_buffer(void)
{
	char text[8];
	INT length = 0;

	WORKS(rcv_mbf, rcv_mbf(text, &length, 5));
	expect_eq(length, 3);
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
	char text[8];
	INT length = 0;
	T_RMBF info;

	WORKS(cre_mbf, cre_mbf(5, &cmbf));
	WORKS(psnd_mbf, psnd_mbf(5, "12345678", 8));
	WORKS(ref_mbf, ref_mbf(&info, 5));
	expect_eq(info.msgsz, 8);
	expect_eq(info.wtsk, 0);
	expect_eq(info.stsk, 0);
	start(3, 10, write_buffer);
	expect_ok(ref_mbf(&info, 5));
	expect_eq(info.stsk, 3);
	WORKS(prcv_mbf, prcv_mbf(text, &length, 5));
	expect_eq(length, 8);
	until_dormant(3);
	expect_marks("written");
	WORKS(trcv_mbf, trcv_mbf(text, &length, 5, 10));
	expect_eq(length, 3);
	start(3, 10, read_buffer);
	expect_ok(ref_mbf(&info, 5));
	expect_eq(info.wtsk, 3);
	expect_eq(info.msgsz, 0);
	WORKS(tsnd_mbf, tsnd_mbf(5, "abc", 3, 10));
	until_dormant(3);
	expect_marks("written read");
	WORKS(del_mbf, del_mbf(5));
}

TEST(buffer_without_memory_passes_messages_on)
{
	T_CMBF packet = {NULL, TA_TFIFO, 0, 8};
	T_RMBF info;

	expect_ok(cre_mbf(5, &packet));
	FAILS(psnd_mbf, E_TMOUT, psnd_mbf(5, "abc", 3));
	start(3, 10, read_buffer);
	expect_ok(ref_mbf(&info, 5));
	expect_eq(info.wtsk, 3);
	expect_eq(info.frbufsz, 0);
	expect_ok(psnd_mbf(5, "abc", 3));
	until_dormant(3);
	expect_marks("read");
}

TEST(sizes_of_messages_are_checked)
{
	T_CMBF packet = {NULL, TA_TFIFO, 16, 0};

	set_up();
	FAILS(cre_mbf, E_PAR, cre_mbf(5, &packet));
	FAILS(snd_mbf, E_PAR, snd_mbf(1, bytes, 9));
	FAILS(psnd_mbf, E_PAR, psnd_mbf(1, bytes, 0));
	FAILS(tsnd_mbf, E_PAR, tsnd_mbf(1, bytes, -1, 1));
}

static RNO rendezvous;

static void serve(void)
{
	char text[16];
	INT length = 0;

	WORKS(acp_por, acp_por(&rendezvous, text, &length, 5, 2));
	expect_eq(length, 4);
	expect_true(!memcmp(text, "call", 4));
	mark("accepts");
	WORKS(rpl_rdv, rpl_rdv(rendezvous, "reply", 5));
	mark("replied");
}

static void call(void)
{
	char text[16] = "call";
	INT length = 0;

	WORKS(cal_por, cal_por(text, &length, 5, 3, 4));
	expect_eq(length, 5);
	expect_true(!memcmp(text, "reply", 5));
	mark("answered");
}

TEST(call_gets_the_reply_of_its_server)
{
	T_RPOR info;

	WORKS(cre_por, cre_por(5, &cpor));
	start(3, 10, serve);
	WORKS(ref_por, ref_por(&info, 5));
	expect_eq(info.atsk, 3);
	expect_eq(info.wtsk, 0);
	start(4, 11, call);
	until_dormant(4);
	expect_marks("accepts replied answered");
	start(4, 9, call);
	expect_ok(ref_por(&info, 5));
	expect_eq(info.wtsk, 4);
	start(3, 10, serve);
	until_dormant(4);
	until_dormant(3);
	expect_marks("accepts replied answered accepts answered replied");
	FAILS(rpl_rdv, E_OBJ, rpl_rdv(rendezvous, bytes, 1));
	FAILS(rpl_rdv, E_OBJ, rpl_rdv(0, bytes, 1));
	FAILS(rpl_rdv, E_OBJ, rpl_rdv(-5, bytes, 1));
	WORKS(del_por, del_por(5));
}

static void call_other(void)
{
	char text[16] = "none";
	INT length = 0;

	FAILS(pcal_por, E_TMOUT, pcal_por(text, &length, 5, 4, 4));
	FAILS(tcal_por, E_TMOUT, tcal_por(text, &length, 5, 4, 4, 5));
	mark("unheard");
	memcpy(text, "call", 4);
	WORKS(pcal_por, pcal_por(text, &length, 5, 2, 4));
	expect_eq(length, 5);
	mark("heard");
}

TEST(patterns_have_to_meet)
{
	char text[16];
	INT length;

	expect_ok(cre_por(5, &cpor));
	start(3, 10, serve);
	start(4, 9, call_other);
	until_dormant(4);
	expect_marks("unheard accepts heard replied");
	start(4, 9, call);
	FAILS(pacp_por, E_TMOUT, pacp_por(&rendezvous, text, &length, 5, 4));
	WORKS(pacp_por, pacp_por(&rendezvous, text, &length, 5, 1));
	expect_ok(rpl_rdv(rendezvous, "reply", 5));
	until_dormant(4);
}

static void call_slowly(void)
{
	char text[16] = "call";
	INT length = 0;

	/* The time is for the begin of the rendezvous only. */
	WORKS(tcal_por, tcal_por(text, &length, 5, 1, 4, 2));
	expect_eq(length, 5);
	mark("answered");
}

static void sleep_a_little(void)
{
	expect_ok(dly_tsk(20));
}

TEST(accepted_call_outlives_its_timeout_and_its_port)
{
	T_RTSK info;
	char text[16];
	INT length;

	expect_ok(cre_por(5, &cpor));
	start(4, 9, call_slowly);
	WORKS(tacp_por, tacp_por(&rendezvous, text, &length, 5, 1, LONG));
	expect_ok(ref_tsk(&info, 4));
	expect_eq(info.tskwait, TTW_RDV);
	expect_eq(info.wid, 5);
	in_task(sleep_a_little);
	expect_ok(del_por(5));
	FAILS(ref_por, E_NOEXS, ref_por(&(T_RPOR){0}, 5));
	expect_ok(cre_por(5, &cpor));
	expect_marks("");
	expect_ok(rpl_rdv(rendezvous, "reply", 5));
	until_dormant(4);
	expect_marks("answered");
}

static void serve_forwarded(void)
{
	char text[16];
	INT length = 0;

	expect_ok(acp_por(&rendezvous, text, &length, 6, 8));
	expect_eq(length, 2);
	expect_true(!memcmp(text, "on", 2));
	mark("second");
	expect_ok(rpl_rdv(rendezvous, "reply", 5));
}

TEST(forwarded_call_is_answered_by_the_other_port)
{
	T_CPOR wide = {NULL, TA_NULL, 16, 32};
	char text[16];
	INT length;
	RNO first;

	expect_ok(cre_por(5, &cpor));
	expect_ok(cre_por(6, &cpor));
	expect_ok(cre_por(7, &wide));
	start(3, 10, serve_forwarded);
	start(4, 9, call);
	expect_ok(pacp_por(&first, text, &length, 5, 1));
	FAILS(fwd_por, E_PAR, fwd_por(6, 0, first, "on", 2));
	FAILS(fwd_por, E_PAR, fwd_por(6, 8, first, bytes, 17));
	FAILS(fwd_por, E_OBJ, fwd_por(7, 8, first, "on", 2));
	FAILS(rpl_rdv, E_PAR, rpl_rdv(first, bytes, 17));
	WORKS(fwd_por, fwd_por(6, 8, first, "on", 2));
	until_dormant(4);
	expect_marks("second answered");
	FAILS(fwd_por, E_OBJ, fwd_por(6, 8, first, "on", 2));
}

TEST(arguments_of_calls_are_checked)
{
	T_CPOR packet = {NULL, TA_NULL, -1, 0};
	INT length;

	set_up();
	FAILS(cre_por, E_PAR, cre_por(5, &packet));
	FAILS(cal_por, E_PAR, cal_por(bytes, &length, 1, 0, 8));
	FAILS(pcal_por, E_PAR, pcal_por(bytes, &length, 1, 1, 17));
	FAILS(tcal_por, E_PAR, tcal_por(bytes, &length, 1, 1, -1, 1));
	FAILS(acp_por, E_PAR, acp_por(&rendezvous, bytes, &length, 1, 0));
	FAILS(cal_por, E_CTX, cal_por(bytes, &length, 1, 1, 8));
}

static void get_fixed(void)
{
	VP block = NULL;

	WORKS(get_blf, get_blf(&block, 5));
	expect_true(block);
	mark("fixed");
	WORKS(rel_blf, rel_blf(5, block));
}

TEST(block_of_one_size_goes_to_the_waiter)
{
	VP block = NULL;
	T_RMPF info;

	WORKS(cre_mpf, cre_mpf(5, &cmpf));
	WORKS(pget_blf, pget_blf(&block, 5));
	memset(block, 0xff, 32);
	start(3, 10, get_fixed);
	WORKS(ref_mpf, ref_mpf(&info, 5));
	expect_eq(info.wtsk, 3);
	expect_eq(info.frbcnt, 0);
	expect_ok(rel_blf(5, block));
	until_dormant(3);
	expect_marks("fixed");
	expect_ok(ref_mpf(&info, 5));
	expect_eq(info.frbcnt, 1);
	FAILS(rel_blf, E_PAR, rel_blf(5, bytes));
	WORKS(tget_blf, tget_blf(&block, 5, 10));
	WORKS(del_mpf, del_mpf(5));
}

static void get_variable(void)
{
	VP block = NULL;

	WORKS(get_blk, get_blk(&block, 1, 64));
	expect_true(block);
	mark("variable");
	WORKS(rel_blk, rel_blk(1, block));
}

TEST(block_of_any_size_goes_to_the_waiter)
{
	VP kept = NULL;
	VP block = NULL;
	T_RMPL info;

	WORKS(cre_mpl, cre_mpl(1, &cmpl));
	WORKS(pget_blk, pget_blk(&kept, 1, 512));
	WORKS(tget_blk, tget_blk(&block, 1, 1, 10));
	set_up();
	start(3, 10, get_variable);
	WORKS(ref_mpl, ref_mpl(&info, 1));
	expect_eq(info.wtsk, 3);
	expect_true(info.maxsz < 64);
	expect_ok(rel_blk(1, kept));
	until_dormant(3);
	expect_marks("variable");
	FAILS(rel_blk, E_PAR, rel_blk(1, bytes));
	FAILS(rel_blk, E_PAR, rel_blk(1, kept));
	FAILS(get_blk, E_PAR, get_blk(&block, 1, 0));
	FAILS(pget_blk, E_PAR, pget_blk(&block, 1, 513));
	FAILS(tget_blk, E_PAR, tget_blk(&block, 1, -1, 1));
	WORKS(del_mpl, del_mpl(1));
}

TEST(shapes_of_pools_are_checked)
{
	T_CMPF fixed = {NULL, TA_TFIFO, 0, 32};
	T_CMPL variable = {NULL, TA_TFIFO, 0};

	FAILS(cre_mpf, E_PAR, cre_mpf(5, &fixed));
	FAILS(cre_mpl, E_PAR, cre_mpl(5, &variable));
}
