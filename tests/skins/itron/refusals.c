/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the calls refuse, and how waits end: the calls that have the same parameters in both
 * versions. refusals.c of the versions have the others. Each call is written out, because
 * dev/check_skins.py reads its name and code here.
 */
#include "itron_test.h"

#include <signal.h>

TEST(ids_are_checked_first_for_their_range)
{
	set_up();
	FAILS(cre_tsk, E_ID, cre_tsk(0, &ctsk));
	FAILS(cre_tsk, E_ID, cre_tsk(40000, &ctsk));
	FAILS(del_tsk, E_ID, del_tsk(0));
	FAILS(del_tsk, E_ID, del_tsk(40000));
	FAILS(sta_tsk, E_ID, sta_tsk(0, 0));
	FAILS(sta_tsk, E_ID, sta_tsk(40000, 0));
	FAILS(ter_tsk, E_ID, ter_tsk(0));
	FAILS(ter_tsk, E_ID, ter_tsk(40000));
	FAILS(chg_pri, E_ID, chg_pri(-1, 5));
	FAILS(chg_pri, E_ID, chg_pri(40000, 5));
	FAILS(rel_wai, E_ID, rel_wai(0));
	FAILS(rel_wai, E_ID, rel_wai(40000));
	FAILS(sus_tsk, E_ID, sus_tsk(40000));
	FAILS(rsm_tsk, E_ID, rsm_tsk(0));
	FAILS(rsm_tsk, E_ID, rsm_tsk(40000));
	FAILS(frsm_tsk, E_ID, frsm_tsk(0));
	FAILS(frsm_tsk, E_ID, frsm_tsk(40000));
	FAILS(wup_tsk, E_ID, wup_tsk(40000));
	FAILS(cre_sem, E_ID, cre_sem(0, &csem));
	FAILS(cre_sem, E_ID, cre_sem(40000, &csem));
	FAILS(del_sem, E_ID, del_sem(0));
	FAILS(del_sem, E_ID, del_sem(40000));
	FAILS(sig_sem, E_ID, sig_sem(0));
	FAILS(sig_sem, E_ID, sig_sem(40000));
	FAILS(wai_sem, E_ID, wai_sem(0));
	FAILS(wai_sem, E_ID, wai_sem(40000));
	FAILS(twai_sem, E_ID, twai_sem(0, 1));
	FAILS(twai_sem, E_ID, twai_sem(40000, 1));
	FAILS(cre_flg, E_ID, cre_flg(0, &cflg));
	FAILS(cre_flg, E_ID, cre_flg(40000, &cflg));
	FAILS(del_flg, E_ID, del_flg(0));
	FAILS(del_flg, E_ID, del_flg(40000));
	FAILS(set_flg, E_ID, set_flg(0, 1));
	FAILS(set_flg, E_ID, set_flg(40000, 1));
	FAILS(clr_flg, E_ID, clr_flg(0, 0));
	FAILS(clr_flg, E_ID, clr_flg(40000, 0));
	FAILS(cre_mbx, E_ID, cre_mbx(0, &cmbx));
	FAILS(cre_mbx, E_ID, cre_mbx(40000, &cmbx));
	FAILS(del_mbx, E_ID, del_mbx(0));
	FAILS(del_mbx, E_ID, del_mbx(40000));
	FAILS(cre_mbf, E_ID, cre_mbf(0, &cmbf));
	FAILS(cre_mbf, E_ID, cre_mbf(40000, &cmbf));
	FAILS(del_mbf, E_ID, del_mbf(0));
	FAILS(del_mbf, E_ID, del_mbf(40000));
	FAILS(snd_mbf, E_ID, snd_mbf(0, bytes, 8));
	FAILS(snd_mbf, E_ID, snd_mbf(40000, bytes, 8));
	FAILS(psnd_mbf, E_ID, psnd_mbf(0, bytes, 8));
	FAILS(psnd_mbf, E_ID, psnd_mbf(40000, bytes, 8));
	FAILS(tsnd_mbf, E_ID, tsnd_mbf(0, bytes, 8, 1));
	FAILS(tsnd_mbf, E_ID, tsnd_mbf(40000, bytes, 8, 1));
	FAILS(cre_por, E_ID, cre_por(0, &cpor));
	FAILS(cre_por, E_ID, cre_por(40000, &cpor));
	FAILS(del_por, E_ID, del_por(0));
	FAILS(del_por, E_ID, del_por(40000));
	FAILS(fwd_por, E_ID, fwd_por(0, 1, 77, bytes, 8));
	FAILS(fwd_por, E_ID, fwd_por(40000, 1, 77, bytes, 8));
	FAILS(cre_mpl, E_ID, cre_mpl(0, &cmpl));
	FAILS(cre_mpl, E_ID, cre_mpl(40000, &cmpl));
	FAILS(del_mpl, E_ID, del_mpl(0));
	FAILS(del_mpl, E_ID, del_mpl(40000));
	FAILS(cre_mpf, E_ID, cre_mpf(0, &cmpf));
	FAILS(cre_mpf, E_ID, cre_mpf(40000, &cmpf));
	FAILS(del_mpf, E_ID, del_mpf(0));
	FAILS(del_mpf, E_ID, del_mpf(40000));
}

TEST(ids_without_an_object_do_not_exist)
{
	set_up();
	FAILS(del_tsk, E_NOEXS, del_tsk(99));
	FAILS(sta_tsk, E_NOEXS, sta_tsk(99, 0));
	FAILS(ter_tsk, E_NOEXS, ter_tsk(99));
	FAILS(chg_pri, E_NOEXS, chg_pri(99, 5));
	FAILS(rel_wai, E_NOEXS, rel_wai(99));
	FAILS(sus_tsk, E_NOEXS, sus_tsk(99));
	FAILS(rsm_tsk, E_NOEXS, rsm_tsk(99));
	FAILS(frsm_tsk, E_NOEXS, frsm_tsk(99));
	FAILS(wup_tsk, E_NOEXS, wup_tsk(99));
	FAILS(del_sem, E_NOEXS, del_sem(99));
	FAILS(sig_sem, E_NOEXS, sig_sem(99));
	FAILS(wai_sem, E_NOEXS, wai_sem(99));
	FAILS(twai_sem, E_NOEXS, twai_sem(99, 1));
	FAILS(del_flg, E_NOEXS, del_flg(99));
	FAILS(set_flg, E_NOEXS, set_flg(99, 1));
	FAILS(clr_flg, E_NOEXS, clr_flg(99, 0));
	FAILS(del_mbx, E_NOEXS, del_mbx(99));
	FAILS(del_mbf, E_NOEXS, del_mbf(99));
	FAILS(snd_mbf, E_NOEXS, snd_mbf(99, bytes, 8));
	FAILS(psnd_mbf, E_NOEXS, psnd_mbf(99, bytes, 8));
	FAILS(tsnd_mbf, E_NOEXS, tsnd_mbf(99, bytes, 8, 1));
	FAILS(del_por, E_NOEXS, del_por(99));
	FAILS(fwd_por, E_NOEXS, fwd_por(99, 1, 77, bytes, 8));
	FAILS(del_mpl, E_NOEXS, del_mpl(99));
	FAILS(del_mpf, E_NOEXS, del_mpf(99));
}

TEST(addresses_are_checked)
{
	set_up();
	FAILS(cre_tsk, E_PAR, cre_tsk(1, NULL));
	FAILS(get_tid, E_PAR, get_tid(NULL));
	FAILS(cre_sem, E_PAR, cre_sem(1, NULL));
	FAILS(cre_flg, E_PAR, cre_flg(1, NULL));
	FAILS(cre_mbx, E_PAR, cre_mbx(1, NULL));
	FAILS(cre_mbf, E_PAR, cre_mbf(1, NULL));
	FAILS(snd_mbf, E_PAR, snd_mbf(2, NULL, 8));
	FAILS(psnd_mbf, E_PAR, psnd_mbf(2, NULL, 8));
	FAILS(tsnd_mbf, E_PAR, tsnd_mbf(2, NULL, 8, 1));
	FAILS(cre_por, E_PAR, cre_por(1, NULL));
	FAILS(fwd_por, E_PAR, fwd_por(1, 1, 77, NULL, 8));
	FAILS(rpl_rdv, E_PAR, rpl_rdv(77, NULL, 8));
	FAILS(cre_mpl, E_PAR, cre_mpl(1, NULL));
	FAILS(cre_mpf, E_PAR, cre_mpf(1, NULL));
	FAILS(set_tim, E_PAR, set_tim(NULL));
	FAILS(get_tim, E_PAR, get_tim(NULL));
	FAILS(ref_sys, E_PAR, ref_sys(NULL));
	FAILS(ref_cfg, E_PAR, ref_cfg(NULL));
}

TEST(ids_in_use_are_refused)
{
	set_up();
	FAILS(cre_tsk, E_OBJ, cre_tsk(1, &ctsk));
	FAILS(cre_sem, E_OBJ, cre_sem(1, &csem));
	FAILS(cre_flg, E_OBJ, cre_flg(1, &cflg));
	FAILS(cre_mbx, E_OBJ, cre_mbx(1, &cmbx));
	FAILS(cre_mbf, E_OBJ, cre_mbf(1, &cmbf));
	FAILS(cre_por, E_OBJ, cre_por(1, &cpor));
	FAILS(cre_mpl, E_OBJ, cre_mpl(1, &cmpl));
	FAILS(cre_mpf, E_OBJ, cre_mpf(1, &cmpf));
}

TEST(unknown_attributes_are_refused)
{
	set_up();
	ctsk.tskatr |= 0x10000;
	FAILS(cre_tsk, E_RSATR, cre_tsk(98, &ctsk));
	csem.sematr |= 0x10000;
	FAILS(cre_sem, E_RSATR, cre_sem(98, &csem));
	cflg.flgatr |= 0x10000;
	FAILS(cre_flg, E_RSATR, cre_flg(98, &cflg));
	cmbx.mbxatr |= 0x10000;
	FAILS(cre_mbx, E_RSATR, cre_mbx(98, &cmbx));
	cmbf.mbfatr |= 0x10000;
	FAILS(cre_mbf, E_RSATR, cre_mbf(98, &cmbf));
	cpor.poratr |= 0x10000;
	FAILS(cre_por, E_RSATR, cre_por(98, &cpor));
	cmpl.mplatr |= 0x10000;
	FAILS(cre_mpl, E_RSATR, cre_mpl(98, &cmpl));
	cmpf.mpfatr |= 0x10000;
	FAILS(cre_mpf, E_RSATR, cre_mpf(98, &cmpf));
	dsvc.svcatr |= 0x10000;
	FAILS(def_svc, E_RSATR, def_svc(7, &dsvc));
	dexc.excatr |= 0x10000;
	FAILS(def_exc, E_RSATR, def_exc(SIGFPE, &dexc));
}

static void refuse_in_handler(void *unused)
{
	(void)unused;
	FAILS(cre_tsk, E_CTX, cre_tsk(98, &ctsk));
	FAILS(del_tsk, E_CTX, del_tsk(1));
	FAILS(ter_tsk, E_CTX, ter_tsk(1));
	FAILS(slp_tsk, E_CTX, slp_tsk());
	FAILS(tslp_tsk, E_CTX, tslp_tsk(1));
	FAILS(cre_sem, E_CTX, cre_sem(98, &csem));
	FAILS(del_sem, E_CTX, del_sem(1));
	FAILS(wai_sem, E_CTX, wai_sem(1));
	FAILS(twai_sem, E_CTX, twai_sem(1, 1));
	FAILS(cre_flg, E_CTX, cre_flg(98, &cflg));
	FAILS(del_flg, E_CTX, del_flg(1));
	FAILS(cre_mbx, E_CTX, cre_mbx(98, &cmbx));
	FAILS(del_mbx, E_CTX, del_mbx(1));
	FAILS(cre_mbf, E_CTX, cre_mbf(98, &cmbf));
	FAILS(del_mbf, E_CTX, del_mbf(1));
	FAILS(snd_mbf, E_CTX, snd_mbf(2, bytes, 8));
	FAILS(tsnd_mbf, E_CTX, tsnd_mbf(2, bytes, 8, 1));
	FAILS(cre_por, E_CTX, cre_por(98, &cpor));
	FAILS(del_por, E_CTX, del_por(1));
	FAILS(cre_mpl, E_CTX, cre_mpl(98, &cmpl));
	FAILS(del_mpl, E_CTX, del_mpl(1));
	FAILS(cre_mpf, E_CTX, cre_mpf(98, &cmpf));
	FAILS(del_mpf, E_CTX, del_mpf(1));
	FAILS(dly_tsk, E_CTX, dly_tsk(1));
	FAILS(def_exc, E_CTX, def_exc(SIGFPE, &dexc));
	FAILS(fwd_por, E_CTX, fwd_por(1, 1, 77, bytes, 8));
}

TEST(handlers_neither_wait_nor_create)
{
	set_up();
	test_in_handler(refuse_in_handler, NULL);
}

static void release_slp_tsk(void)
{
	FAILS(slp_tsk, E_RLWAI, slp_tsk());
}

static void release_tslp_tsk(void)
{
	FAILS(tslp_tsk, E_RLWAI, tslp_tsk(LONG));
}

static void release_wai_sem(void)
{
	FAILS(wai_sem, E_RLWAI, wai_sem(1));
}

static void delete_wai_sem(void)
{
	FAILS(wai_sem, E_DLT, wai_sem(1));
}

static void release_twai_sem(void)
{
	FAILS(twai_sem, E_RLWAI, twai_sem(1, LONG));
}

static void delete_twai_sem(void)
{
	FAILS(twai_sem, E_DLT, twai_sem(1, LONG));
}

static void release_snd_mbf(void)
{
	FAILS(snd_mbf, E_RLWAI, snd_mbf(2, bytes, 8));
}

static void delete_snd_mbf(void)
{
	FAILS(snd_mbf, E_DLT, snd_mbf(2, bytes, 8));
}

static void release_tsnd_mbf(void)
{
	FAILS(tsnd_mbf, E_RLWAI, tsnd_mbf(2, bytes, 8, LONG));
}

static void delete_tsnd_mbf(void)
{
	FAILS(tsnd_mbf, E_DLT, tsnd_mbf(2, bytes, 8, LONG));
}

static void release_dly_tsk(void)
{
	FAILS(dly_tsk, E_RLWAI, dly_tsk(LONG));
}

TEST(released_waits_say_so)
{
	set_up();
	released(release_slp_tsk);
	released(release_tslp_tsk);
	released(release_wai_sem);
	released(release_twai_sem);
	released(release_snd_mbf);
	released(release_tsnd_mbf);
	released(release_dly_tsk);
}

TEST(deletion_ends_the_waits)
{
	set_up();
	deleted(delete_wai_sem, del_sem, 1);
	set_up();
	deleted(delete_twai_sem, del_sem, 1);
	set_up();
	deleted(delete_snd_mbf, del_mbf, 2);
	set_up();
	deleted(delete_tsnd_mbf, del_mbf, 2);
}

static void sleep_too_long(void)
{
	FAILS(tslp_tsk, E_TMOUT, tslp_tsk(1));
}

TEST(polls_and_timeouts_fail_in_time)
{
	set_up();
	FAILS(twai_sem, E_TMOUT, twai_sem(1, 1));
	FAILS(psnd_mbf, E_TMOUT, psnd_mbf(2, bytes, 8));
	FAILS(tsnd_mbf, E_TMOUT, tsnd_mbf(2, bytes, 8, 1));
	in_task(sleep_too_long);
}

TEST(timeouts_below_forever_are_refused)
{
	set_up();
	FAILS(twai_sem, E_PAR, twai_sem(1, -2));
	FAILS(tsnd_mbf, E_PAR, tsnd_mbf(2, bytes, 8, -2));
}

TASK_TEST(memory_runs_out)
{
	use_up_memory();
	FAILS(cre_sem, E_NOMEM, cre_sem(32767, &csem));
	FAILS(cre_por, E_NOMEM, cre_por(32767, &cpor));
	FAILS(cre_tsk, E_NOMEM, cre_tsk(1, &ctsk));
	FAILS(cre_flg, E_NOMEM, cre_flg(1, &cflg));
	FAILS(cre_mbx, E_NOMEM, cre_mbx(1, &cmbx));
	FAILS(cre_mbf, E_NOMEM, cre_mbf(1, &cmbf));
	FAILS(cre_mpl, E_NOMEM, cre_mpl(1, &cmpl));
	FAILS(cre_mpf, E_NOMEM, cre_mpf(1, &cmpf));
}
