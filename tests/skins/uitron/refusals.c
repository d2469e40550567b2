/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the calls refuse, and how waits end: each call by the same rules. tests/skins/itron has the
 * calls that µITRON 4.0 has with the same parameters. A call is written out for each code, because
 * dev/check_skins.py reads its name and code here. */
#include "uitron_test.h"

#include <signal.h>

static ID id;
static INT count;
static UINT pattern;
static VP block;
static RNO number;
static T_MSG *received;
static SYSTIME now;
static T_RTSK rtsk;
static T_RSEM rsem;
static T_RFLG rflg;
static T_RMBX rmbx;
static T_RMBF rmbf;
static T_RPOR rpor;
static T_RMPL rmpl;
static T_RMPF rmpf;
static T_RCYC rcyc;
static T_RALM ralm;
static T_VER rver;
static T_RSYS rsys;
static T_RCFG rcfg;

static void time_out(void)
{
	FAILS(pcal_por, E_TMOUT, pcal_por(bytes, &count, 1, 1, 8));
	FAILS(tcal_por, E_TMOUT, tcal_por(bytes, &count, 1, 1, 8, 1));
	FAILS(tcal_por, E_PAR, tcal_por(bytes, &count, 1, 1, 8, -2));
}

TEST(ids_are_checked_first_for_their_range)
{
	set_up();
	FAILS(ref_tsk, E_ID, ref_tsk(&rtsk, -1));
	FAILS(ref_tsk, E_ID, ref_tsk(&rtsk, 40000));
	FAILS(sus_tsk, E_ID, sus_tsk(0));
	FAILS(wup_tsk, E_ID, wup_tsk(0));
	FAILS(can_wup, E_ID, can_wup(&count, -1));
	FAILS(can_wup, E_ID, can_wup(&count, 40000));
	FAILS(preq_sem, E_ID, preq_sem(0));
	FAILS(preq_sem, E_ID, preq_sem(40000));
	FAILS(ref_sem, E_ID, ref_sem(&rsem, 0));
	FAILS(ref_sem, E_ID, ref_sem(&rsem, 40000));
	FAILS(wai_flg, E_ID, wai_flg(&pattern, 0, 1, TWF_ORW));
	FAILS(wai_flg, E_ID, wai_flg(&pattern, 40000, 1, TWF_ORW));
	FAILS(pol_flg, E_ID, pol_flg(&pattern, 0, 1, TWF_ORW));
	FAILS(pol_flg, E_ID, pol_flg(&pattern, 40000, 1, TWF_ORW));
	FAILS(twai_flg, E_ID, twai_flg(&pattern, 0, 1, TWF_ORW, 1));
	FAILS(twai_flg, E_ID, twai_flg(&pattern, 40000, 1, TWF_ORW, 1));
	FAILS(ref_flg, E_ID, ref_flg(&rflg, 0));
	FAILS(ref_flg, E_ID, ref_flg(&rflg, 40000));
	FAILS(snd_msg, E_ID, snd_msg(0, &message));
	FAILS(snd_msg, E_ID, snd_msg(40000, &message));
	FAILS(rcv_msg, E_ID, rcv_msg(&received, 0));
	FAILS(rcv_msg, E_ID, rcv_msg(&received, 40000));
	FAILS(prcv_msg, E_ID, prcv_msg(&received, 0));
	FAILS(prcv_msg, E_ID, prcv_msg(&received, 40000));
	FAILS(trcv_msg, E_ID, trcv_msg(&received, 0, 1));
	FAILS(trcv_msg, E_ID, trcv_msg(&received, 40000, 1));
	FAILS(ref_mbx, E_ID, ref_mbx(&rmbx, 0));
	FAILS(ref_mbx, E_ID, ref_mbx(&rmbx, 40000));
	FAILS(rcv_mbf, E_ID, rcv_mbf(bytes, &count, 0));
	FAILS(rcv_mbf, E_ID, rcv_mbf(bytes, &count, 40000));
	FAILS(prcv_mbf, E_ID, prcv_mbf(bytes, &count, 0));
	FAILS(prcv_mbf, E_ID, prcv_mbf(bytes, &count, 40000));
	FAILS(trcv_mbf, E_ID, trcv_mbf(bytes, &count, 0, 1));
	FAILS(trcv_mbf, E_ID, trcv_mbf(bytes, &count, 40000, 1));
	FAILS(ref_mbf, E_ID, ref_mbf(&rmbf, 0));
	FAILS(ref_mbf, E_ID, ref_mbf(&rmbf, 40000));
	FAILS(cal_por, E_ID, cal_por(bytes, &count, 0, 1, 8));
	FAILS(cal_por, E_ID, cal_por(bytes, &count, 40000, 1, 8));
	FAILS(pcal_por, E_ID, pcal_por(bytes, &count, 0, 1, 8));
	FAILS(pcal_por, E_ID, pcal_por(bytes, &count, 40000, 1, 8));
	FAILS(tcal_por, E_ID, tcal_por(bytes, &count, 0, 1, 8, 1));
	FAILS(tcal_por, E_ID, tcal_por(bytes, &count, 40000, 1, 8, 1));
	FAILS(acp_por, E_ID, acp_por(&number, bytes, &count, 0, 1));
	FAILS(acp_por, E_ID, acp_por(&number, bytes, &count, 40000, 1));
	FAILS(pacp_por, E_ID, pacp_por(&number, bytes, &count, 0, 1));
	FAILS(pacp_por, E_ID, pacp_por(&number, bytes, &count, 40000, 1));
	FAILS(tacp_por, E_ID, tacp_por(&number, bytes, &count, 0, 1, 1));
	FAILS(tacp_por, E_ID, tacp_por(&number, bytes, &count, 40000, 1, 1));
	FAILS(ref_por, E_ID, ref_por(&rpor, 0));
	FAILS(ref_por, E_ID, ref_por(&rpor, 40000));
	FAILS(get_blk, E_ID, get_blk(&block, 0, 64));
	FAILS(get_blk, E_ID, get_blk(&block, 40000, 64));
	FAILS(pget_blk, E_ID, pget_blk(&block, 0, 64));
	FAILS(pget_blk, E_ID, pget_blk(&block, 40000, 64));
	FAILS(tget_blk, E_ID, tget_blk(&block, 0, 64, 1));
	FAILS(tget_blk, E_ID, tget_blk(&block, 40000, 64, 1));
	FAILS(rel_blk, E_ID, rel_blk(0, bytes));
	FAILS(rel_blk, E_ID, rel_blk(40000, bytes));
	FAILS(ref_mpl, E_ID, ref_mpl(&rmpl, 0));
	FAILS(ref_mpl, E_ID, ref_mpl(&rmpl, 40000));
	FAILS(get_blf, E_ID, get_blf(&block, 0));
	FAILS(get_blf, E_ID, get_blf(&block, 40000));
	FAILS(pget_blf, E_ID, pget_blf(&block, 0));
	FAILS(pget_blf, E_ID, pget_blf(&block, 40000));
	FAILS(tget_blf, E_ID, tget_blf(&block, 0, 1));
	FAILS(tget_blf, E_ID, tget_blf(&block, 40000, 1));
	FAILS(rel_blf, E_ID, rel_blf(0, bytes));
	FAILS(rel_blf, E_ID, rel_blf(40000, bytes));
	FAILS(ref_mpf, E_ID, ref_mpf(&rmpf, 0));
	FAILS(ref_mpf, E_ID, ref_mpf(&rmpf, 40000));
}

TEST(ids_without_an_object_do_not_exist)
{
	set_up();
	FAILS(ref_tsk, E_NOEXS, ref_tsk(&rtsk, 99));
	FAILS(can_wup, E_NOEXS, can_wup(&count, 99));
	FAILS(preq_sem, E_NOEXS, preq_sem(99));
	FAILS(ref_sem, E_NOEXS, ref_sem(&rsem, 99));
	FAILS(wai_flg, E_NOEXS, wai_flg(&pattern, 99, 1, TWF_ORW));
	FAILS(pol_flg, E_NOEXS, pol_flg(&pattern, 99, 1, TWF_ORW));
	FAILS(twai_flg, E_NOEXS, twai_flg(&pattern, 99, 1, TWF_ORW, 1));
	FAILS(ref_flg, E_NOEXS, ref_flg(&rflg, 99));
	FAILS(snd_msg, E_NOEXS, snd_msg(99, &message));
	FAILS(rcv_msg, E_NOEXS, rcv_msg(&received, 99));
	FAILS(prcv_msg, E_NOEXS, prcv_msg(&received, 99));
	FAILS(trcv_msg, E_NOEXS, trcv_msg(&received, 99, 1));
	FAILS(ref_mbx, E_NOEXS, ref_mbx(&rmbx, 99));
	FAILS(rcv_mbf, E_NOEXS, rcv_mbf(bytes, &count, 99));
	FAILS(prcv_mbf, E_NOEXS, prcv_mbf(bytes, &count, 99));
	FAILS(trcv_mbf, E_NOEXS, trcv_mbf(bytes, &count, 99, 1));
	FAILS(ref_mbf, E_NOEXS, ref_mbf(&rmbf, 99));
	FAILS(cal_por, E_NOEXS, cal_por(bytes, &count, 99, 1, 8));
	FAILS(pcal_por, E_NOEXS, pcal_por(bytes, &count, 99, 1, 8));
	FAILS(tcal_por, E_NOEXS, tcal_por(bytes, &count, 99, 1, 8, 1));
	FAILS(acp_por, E_NOEXS, acp_por(&number, bytes, &count, 99, 1));
	FAILS(pacp_por, E_NOEXS, pacp_por(&number, bytes, &count, 99, 1));
	FAILS(tacp_por, E_NOEXS, tacp_por(&number, bytes, &count, 99, 1, 1));
	FAILS(ref_por, E_NOEXS, ref_por(&rpor, 99));
	FAILS(get_blk, E_NOEXS, get_blk(&block, 99, 64));
	FAILS(pget_blk, E_NOEXS, pget_blk(&block, 99, 64));
	FAILS(tget_blk, E_NOEXS, tget_blk(&block, 99, 64, 1));
	FAILS(rel_blk, E_NOEXS, rel_blk(99, bytes));
	FAILS(ref_mpl, E_NOEXS, ref_mpl(&rmpl, 99));
	FAILS(get_blf, E_NOEXS, get_blf(&block, 99));
	FAILS(pget_blf, E_NOEXS, pget_blf(&block, 99));
	FAILS(tget_blf, E_NOEXS, tget_blf(&block, 99, 1));
	FAILS(rel_blf, E_NOEXS, rel_blf(99, bytes));
	FAILS(ref_mpf, E_NOEXS, ref_mpf(&rmpf, 99));
}

TEST(addresses_are_checked)
{
	set_up();
	FAILS(ref_tsk, E_PAR, ref_tsk(NULL, 1));
	FAILS(can_wup, E_PAR, can_wup(NULL, 1));
	FAILS(ref_sem, E_PAR, ref_sem(NULL, 1));
	FAILS(wai_flg, E_PAR, wai_flg(NULL, 1, 1, TWF_ORW));
	FAILS(pol_flg, E_PAR, pol_flg(NULL, 1, 1, TWF_ORW));
	FAILS(twai_flg, E_PAR, twai_flg(NULL, 1, 1, TWF_ORW, 1));
	FAILS(ref_flg, E_PAR, ref_flg(NULL, 1));
	FAILS(snd_msg, E_PAR, snd_msg(1, NULL));
	FAILS(rcv_msg, E_PAR, rcv_msg(NULL, 1));
	FAILS(prcv_msg, E_PAR, prcv_msg(NULL, 1));
	FAILS(trcv_msg, E_PAR, trcv_msg(NULL, 1, 1));
	FAILS(ref_mbx, E_PAR, ref_mbx(NULL, 1));
	FAILS(rcv_mbf, E_PAR, rcv_mbf(NULL, &count, 1));
	FAILS(prcv_mbf, E_PAR, prcv_mbf(NULL, &count, 1));
	FAILS(trcv_mbf, E_PAR, trcv_mbf(NULL, &count, 1, 1));
	FAILS(ref_mbf, E_PAR, ref_mbf(NULL, 1));
	FAILS(cal_por, E_PAR, cal_por(NULL, &count, 1, 1, 8));
	FAILS(pcal_por, E_PAR, pcal_por(NULL, &count, 1, 1, 8));
	FAILS(tcal_por, E_PAR, tcal_por(NULL, &count, 1, 1, 8, 1));
	FAILS(acp_por, E_PAR, acp_por(NULL, bytes, &count, 1, 1));
	FAILS(pacp_por, E_PAR, pacp_por(NULL, bytes, &count, 1, 1));
	FAILS(tacp_por, E_PAR, tacp_por(NULL, bytes, &count, 1, 1, 1));
	FAILS(ref_por, E_PAR, ref_por(NULL, 1));
	FAILS(def_int, E_PAR, def_int(7, NULL));
	FAILS(get_blk, E_PAR, get_blk(NULL, 1, 64));
	FAILS(pget_blk, E_PAR, pget_blk(NULL, 1, 64));
	FAILS(tget_blk, E_PAR, tget_blk(NULL, 1, 64, 1));
	FAILS(ref_mpl, E_PAR, ref_mpl(NULL, 1));
	FAILS(get_blf, E_PAR, get_blf(NULL, 1));
	FAILS(pget_blf, E_PAR, pget_blf(NULL, 1));
	FAILS(tget_blf, E_PAR, tget_blf(NULL, 1, 1));
	FAILS(ref_mpf, E_PAR, ref_mpf(NULL, 1));
	FAILS(def_cyc, E_PAR, def_cyc(1, NULL));
	FAILS(ref_cyc, E_PAR, ref_cyc(NULL, 1));
	FAILS(def_alm, E_PAR, def_alm(1, NULL));
	FAILS(ref_alm, E_PAR, ref_alm(NULL, 1));
	FAILS(get_ver, E_PAR, get_ver(NULL));
	FAILS(def_svc, E_PAR, def_svc(7, NULL));
	FAILS(def_exc, E_PAR, def_exc(SIGFPE, NULL));
}

TEST(unknown_attributes_are_refused)
{
	set_up();
	ctsk.tskatr |= 0x10000;
	dcyc.cycatr |= 0x10000;
	FAILS(def_cyc, E_RSATR, def_cyc(1, &dcyc));
	dalm.almatr |= 0x10000;
	FAILS(def_alm, E_RSATR, def_alm(1, &dalm));
	dint.intatr |= 0x10000;
	FAILS(def_int, E_RSATR, def_int(7, &dint));
	FAILS(shd_tsk, E_RSATR, shd_tsk(98, &ctsk));
}

static void refuse_in_handler(void *unused)
{
	(void)unused;
	FAILS(ref_tsk, E_CTX, ref_tsk(&rtsk, 1));
	FAILS(wai_flg, E_CTX, wai_flg(&pattern, 1, 1, TWF_ORW));
	FAILS(twai_flg, E_CTX, twai_flg(&pattern, 1, 1, TWF_ORW, 1));
	FAILS(rcv_msg, E_CTX, rcv_msg(&received, 1));
	FAILS(trcv_msg, E_CTX, trcv_msg(&received, 1, 1));
	FAILS(rcv_mbf, E_CTX, rcv_mbf(bytes, &count, 1));
	FAILS(trcv_mbf, E_CTX, trcv_mbf(bytes, &count, 1, 1));
	FAILS(cal_por, E_CTX, cal_por(bytes, &count, 1, 1, 8));
	FAILS(tcal_por, E_CTX, tcal_por(bytes, &count, 1, 1, 8, 1));
	FAILS(acp_por, E_CTX, acp_por(&number, bytes, &count, 1, 1));
	FAILS(pacp_por, E_CTX, pacp_por(&number, bytes, &count, 1, 1));
	FAILS(tacp_por, E_CTX, tacp_por(&number, bytes, &count, 1, 1, 1));
	FAILS(def_int, E_CTX, def_int(7, &dint));
	FAILS(get_blk, E_CTX, get_blk(&block, 1, 64));
	FAILS(tget_blk, E_CTX, tget_blk(&block, 1, 64, 1));
	FAILS(get_blf, E_CTX, get_blf(&block, 1));
	FAILS(tget_blf, E_CTX, tget_blf(&block, 1, 1));
	FAILS(def_cyc, E_CTX, def_cyc(1, &dcyc));
	FAILS(def_alm, E_CTX, def_alm(1, &dalm));
	FAILS(shd_tsk, E_CTX, shd_tsk(98, &ctsk));
	FAILS(rot_rdq, E_CTX, rot_rdq(TPRI_RUN));
	FAILS(pcal_por, E_CTX, pcal_por(bytes, &count, 1, 1, 8));
}

TEST(handlers_neither_wait_nor_create)
{
	set_up();
	test_in_handler(refuse_in_handler, NULL);
}

static void release_wai_flg(void)
{
	FAILS(wai_flg, E_RLWAI, wai_flg(&pattern, 1, 1, TWF_ORW));
}

static void delete_wai_flg(void)
{
	FAILS(wai_flg, E_DLT, wai_flg(&pattern, 1, 1, TWF_ORW));
}

static void release_twai_flg(void)
{
	FAILS(twai_flg, E_RLWAI, twai_flg(&pattern, 1, 1, TWF_ORW, LONG));
}

static void delete_twai_flg(void)
{
	FAILS(twai_flg, E_DLT, twai_flg(&pattern, 1, 1, TWF_ORW, LONG));
}

static void release_rcv_msg(void)
{
	FAILS(rcv_msg, E_RLWAI, rcv_msg(&received, 1));
}

static void delete_rcv_msg(void)
{
	FAILS(rcv_msg, E_DLT, rcv_msg(&received, 1));
}

static void release_trcv_msg(void)
{
	FAILS(trcv_msg, E_RLWAI, trcv_msg(&received, 1, LONG));
}

static void delete_trcv_msg(void)
{
	FAILS(trcv_msg, E_DLT, trcv_msg(&received, 1, LONG));
}

static void release_rcv_mbf(void)
{
	FAILS(rcv_mbf, E_RLWAI, rcv_mbf(bytes, &count, 1));
}

static void delete_rcv_mbf(void)
{
	FAILS(rcv_mbf, E_DLT, rcv_mbf(bytes, &count, 1));
}

static void release_trcv_mbf(void)
{
	FAILS(trcv_mbf, E_RLWAI, trcv_mbf(bytes, &count, 1, LONG));
}

static void delete_trcv_mbf(void)
{
	FAILS(trcv_mbf, E_DLT, trcv_mbf(bytes, &count, 1, LONG));
}

static void release_cal_por(void)
{
	FAILS(cal_por, E_RLWAI, cal_por(bytes, &count, 1, 1, 8));
}

static void delete_cal_por(void)
{
	FAILS(cal_por, E_DLT, cal_por(bytes, &count, 1, 1, 8));
}

static void release_tcal_por(void)
{
	FAILS(tcal_por, E_RLWAI, tcal_por(bytes, &count, 1, 1, 8, LONG));
}

static void delete_tcal_por(void)
{
	FAILS(tcal_por, E_DLT, tcal_por(bytes, &count, 1, 1, 8, LONG));
}

static void release_acp_por(void)
{
	FAILS(acp_por, E_RLWAI, acp_por(&number, bytes, &count, 1, 1));
}

static void delete_acp_por(void)
{
	FAILS(acp_por, E_DLT, acp_por(&number, bytes, &count, 1, 1));
}

static void release_tacp_por(void)
{
	FAILS(tacp_por, E_RLWAI, tacp_por(&number, bytes, &count, 1, 1, LONG));
}

static void delete_tacp_por(void)
{
	FAILS(tacp_por, E_DLT, tacp_por(&number, bytes, &count, 1, 1, LONG));
}

static void release_get_blk(void)
{
	FAILS(get_blk, E_RLWAI, get_blk(&block, 1, 64));
}

static void delete_get_blk(void)
{
	FAILS(get_blk, E_DLT, get_blk(&block, 1, 64));
}

static void release_tget_blk(void)
{
	FAILS(tget_blk, E_RLWAI, tget_blk(&block, 1, 64, LONG));
}

static void delete_tget_blk(void)
{
	FAILS(tget_blk, E_DLT, tget_blk(&block, 1, 64, LONG));
}

static void release_get_blf(void)
{
	FAILS(get_blf, E_RLWAI, get_blf(&block, 1));
}

static void delete_get_blf(void)
{
	FAILS(get_blf, E_DLT, get_blf(&block, 1));
}

static void release_tget_blf(void)
{
	FAILS(tget_blf, E_RLWAI, tget_blf(&block, 1, LONG));
}

static void delete_tget_blf(void)
{
	FAILS(tget_blf, E_DLT, tget_blf(&block, 1, LONG));
}

TEST(released_waits_say_so)
{
	set_up();
	released(release_wai_flg);
	released(release_twai_flg);
	released(release_rcv_msg);
	released(release_trcv_msg);
	released(release_rcv_mbf);
	released(release_trcv_mbf);
	released(release_cal_por);
	released(release_tcal_por);
	released(release_acp_por);
	released(release_tacp_por);
	released(release_get_blk);
	released(release_tget_blk);
	released(release_get_blf);
	released(release_tget_blf);
}

TEST(deletion_ends_the_waits)
{
	set_up();
	deleted(delete_wai_flg, del_flg, 1);
	set_up();
	deleted(delete_twai_flg, del_flg, 1);
	set_up();
	deleted(delete_rcv_msg, del_mbx, 1);
	set_up();
	deleted(delete_trcv_msg, del_mbx, 1);
	set_up();
	deleted(delete_rcv_mbf, del_mbf, 1);
	set_up();
	deleted(delete_trcv_mbf, del_mbf, 1);
	set_up();
	deleted(delete_cal_por, del_por, 1);
	set_up();
	deleted(delete_tcal_por, del_por, 1);
	set_up();
	deleted(delete_acp_por, del_por, 1);
	set_up();
	deleted(delete_tacp_por, del_por, 1);
	set_up();
	deleted(delete_get_blk, del_mpl, 1);
	set_up();
	deleted(delete_tget_blk, del_mpl, 1);
	set_up();
	deleted(delete_get_blf, del_mpf, 1);
	set_up();
	deleted(delete_tget_blf, del_mpf, 1);
}

TEST(polls_and_timeouts_fail_in_time)
{
	set_up();
	FAILS(preq_sem, E_TMOUT, preq_sem(1));
	FAILS(pol_flg, E_TMOUT, pol_flg(&pattern, 1, 1, TWF_ORW));
	FAILS(twai_flg, E_TMOUT, twai_flg(&pattern, 1, 1, TWF_ORW, 1));
	FAILS(prcv_msg, E_TMOUT, prcv_msg(&received, 1));
	FAILS(trcv_msg, E_TMOUT, trcv_msg(&received, 1, 1));
	FAILS(prcv_mbf, E_TMOUT, prcv_mbf(bytes, &count, 1));
	FAILS(trcv_mbf, E_TMOUT, trcv_mbf(bytes, &count, 1, 1));
	FAILS(pacp_por, E_TMOUT, pacp_por(&number, bytes, &count, 1, 1));
	FAILS(tacp_por, E_TMOUT, tacp_por(&number, bytes, &count, 1, 1, 1));
	FAILS(pget_blk, E_TMOUT, pget_blk(&block, 1, 64));
	FAILS(tget_blk, E_TMOUT, tget_blk(&block, 1, 64, 1));
	FAILS(pget_blf, E_TMOUT, pget_blf(&block, 1));
	FAILS(tget_blf, E_TMOUT, tget_blf(&block, 1, 1));
	in_task(time_out);
}

TEST(timeouts_below_forever_are_refused)
{
	set_up();
	FAILS(tslp_tsk, E_PAR, tslp_tsk(-2));
	FAILS(twai_flg, E_PAR, twai_flg(&pattern, 1, 1, TWF_ORW, -2));
	FAILS(trcv_msg, E_PAR, trcv_msg(&received, 1, -2));
	FAILS(trcv_mbf, E_PAR, trcv_mbf(bytes, &count, 1, -2));
	FAILS(tacp_por, E_PAR, tacp_por(&number, bytes, &count, 1, 1, -2));
	FAILS(tget_blk, E_PAR, tget_blk(&block, 1, 64, -2));
	FAILS(tget_blf, E_PAR, tget_blf(&block, 1, -2));
}

TEST(inquiries_tell_what_was_set)
{
	set_up();
	WORKS(get_tid, get_tid(&id));
	expect_eq(id, 0);
	now = 5000;
	WORKS(set_tim, set_tim(&now));
	now = 0;
	WORKS(get_tim, get_tim(&now));
	expect_true(now >= 5000 && now < 6000);
	WORKS(ref_cyc, ref_cyc(&rcyc, 1));
	expect_eq(rcyc.cycact, TCY_OFF);
	expect_true(rcyc.lfttim > 900 && rcyc.lfttim <= 1000);
	WORKS(ref_alm, ref_alm(&ralm, 1));
	expect_true(ralm.lfttim > LONG - 100 && ralm.lfttim <= LONG);
	WORKS(get_ver, get_ver(&rver));
	expect_eq(rver.spver, 0x5302);
	WORKS(ref_sys, ref_sys(&rsys));
	expect_eq(rsys.sysstat, TSS_TSK);
	WORKS(ref_cfg, ref_cfg(&rcfg));
	expect_eq(rcfg.maxid, 32767);
}

TASK_TEST(memory_runs_out)
{
	UINT dintno = 0;

	use_up_memory();
	FAILS(def_cyc, E_NOMEM, def_cyc(1, &dcyc));
	FAILS(def_alm, E_NOMEM, def_alm(1, &dalm));
	while (dintno < 255 && !def_int(dintno, &dint))
		dintno++;
	FAILS(def_int, E_NOMEM, def_int(dintno, &dint));
}
