/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the calls refuse, and how waits end: each call by the same rules. tests/skins/itron has the
 * calls that µITRON 3.02 has with the same parameters. A call is written out for each code, because
 * dev/check_skins.py reads its name and code here. */
#include "uitron4_test.h"

#include <signal.h>

static ID id;
static PRI priority;
static FLGPTN pattern;
static VP block;
static VP_INT data;
static RDVNO number;
static T_MSG *received;
static SYSTIM now;
static T_RTSK rtsk;
static T_RTST rtst;
static T_RTEX rtex;
static T_RSEM rsem;
static T_RFLG rflg;
static T_RDTQ rdtq;
static T_RMBX rmbx;
static T_RMTX rmtx;
static T_RMBF rmbf;
static T_RPOR rpor;
static T_RRDV rrdv;
static T_RMPL rmpl;
static T_RMPF rmpf;
static T_RCYC rcyc;
static T_RALM ralm;
static T_RISR risr;
static T_ROVR rovr;
static T_RSYS rsys;

static void time_out(void)
{
	FAILS(tcal_por, E_TMOUT, tcal_por(1, 1, bytes, 8, 1));
	FAILS(ploc_mtx, E_TMOUT, ploc_mtx(1));
	FAILS(tloc_mtx, E_TMOUT, tloc_mtx(1, 1));
	FAILS(tslp_tsk, E_PAR, tslp_tsk(-2));
	FAILS(tcal_por, E_PAR, tcal_por(1, 1, bytes, 8, TMO_POL));
	FAILS(tloc_mtx, E_PAR, tloc_mtx(1, -2));
}

TEST(ids_are_checked_first_for_their_range)
{
	set_up();
	FAILS(act_tsk, E_ID, act_tsk(-1));
	FAILS(act_tsk, E_ID, act_tsk(40000));
	FAILS(iact_tsk, E_ID, iact_tsk(-1));
	FAILS(iact_tsk, E_ID, iact_tsk(40000));
	FAILS(can_act, E_ID, can_act(-1));
	FAILS(can_act, E_ID, can_act(40000));
	FAILS(get_pri, E_ID, get_pri(-1, &priority));
	FAILS(get_pri, E_ID, get_pri(40000, &priority));
	FAILS(ref_tsk, E_ID, ref_tsk(-1, &rtsk));
	FAILS(ref_tsk, E_ID, ref_tsk(40000, &rtsk));
	FAILS(ref_tst, E_ID, ref_tst(-1, &rtst));
	FAILS(ref_tst, E_ID, ref_tst(40000, &rtst));
	FAILS(wup_tsk, E_ID, wup_tsk(-1));
	FAILS(iwup_tsk, E_ID, iwup_tsk(-1));
	FAILS(iwup_tsk, E_ID, iwup_tsk(40000));
	FAILS(can_wup, E_ID, can_wup(-1));
	FAILS(can_wup, E_ID, can_wup(40000));
	FAILS(irel_wai, E_ID, irel_wai(0));
	FAILS(irel_wai, E_ID, irel_wai(40000));
	FAILS(sus_tsk, E_ID, sus_tsk(-1));
	FAILS(def_tex, E_ID, def_tex(-1, &dtex));
	FAILS(def_tex, E_ID, def_tex(40000, &dtex));
	FAILS(ras_tex, E_ID, ras_tex(-1, 1));
	FAILS(ras_tex, E_ID, ras_tex(40000, 1));
	FAILS(iras_tex, E_ID, iras_tex(-1, 1));
	FAILS(iras_tex, E_ID, iras_tex(40000, 1));
	FAILS(ref_tex, E_ID, ref_tex(-1, &rtex));
	FAILS(ref_tex, E_ID, ref_tex(40000, &rtex));
	FAILS(isig_sem, E_ID, isig_sem(0));
	FAILS(isig_sem, E_ID, isig_sem(40000));
	FAILS(pol_sem, E_ID, pol_sem(0));
	FAILS(pol_sem, E_ID, pol_sem(40000));
	FAILS(ref_sem, E_ID, ref_sem(0, &rsem));
	FAILS(ref_sem, E_ID, ref_sem(40000, &rsem));
	FAILS(iset_flg, E_ID, iset_flg(0, 1));
	FAILS(iset_flg, E_ID, iset_flg(40000, 1));
	FAILS(wai_flg, E_ID, wai_flg(0, 1, TWF_ORW, &pattern));
	FAILS(wai_flg, E_ID, wai_flg(40000, 1, TWF_ORW, &pattern));
	FAILS(pol_flg, E_ID, pol_flg(0, 1, TWF_ORW, &pattern));
	FAILS(pol_flg, E_ID, pol_flg(40000, 1, TWF_ORW, &pattern));
	FAILS(twai_flg, E_ID, twai_flg(0, 1, TWF_ORW, &pattern, 1));
	FAILS(twai_flg, E_ID, twai_flg(40000, 1, TWF_ORW, &pattern, 1));
	FAILS(ref_flg, E_ID, ref_flg(0, &rflg));
	FAILS(ref_flg, E_ID, ref_flg(40000, &rflg));
	FAILS(cre_dtq, E_ID, cre_dtq(0, &cdtq));
	FAILS(cre_dtq, E_ID, cre_dtq(40000, &cdtq));
	FAILS(del_dtq, E_ID, del_dtq(0));
	FAILS(del_dtq, E_ID, del_dtq(40000));
	FAILS(snd_dtq, E_ID, snd_dtq(0, 1));
	FAILS(snd_dtq, E_ID, snd_dtq(40000, 1));
	FAILS(psnd_dtq, E_ID, psnd_dtq(0, 1));
	FAILS(psnd_dtq, E_ID, psnd_dtq(40000, 1));
	FAILS(tsnd_dtq, E_ID, tsnd_dtq(0, 1, 1));
	FAILS(tsnd_dtq, E_ID, tsnd_dtq(40000, 1, 1));
	FAILS(ipsnd_dtq, E_ID, ipsnd_dtq(0, 1));
	FAILS(ipsnd_dtq, E_ID, ipsnd_dtq(40000, 1));
	FAILS(fsnd_dtq, E_ID, fsnd_dtq(0, 1));
	FAILS(fsnd_dtq, E_ID, fsnd_dtq(40000, 1));
	FAILS(ifsnd_dtq, E_ID, ifsnd_dtq(0, 1));
	FAILS(ifsnd_dtq, E_ID, ifsnd_dtq(40000, 1));
	FAILS(rcv_dtq, E_ID, rcv_dtq(0, &data));
	FAILS(rcv_dtq, E_ID, rcv_dtq(40000, &data));
	FAILS(prcv_dtq, E_ID, prcv_dtq(0, &data));
	FAILS(prcv_dtq, E_ID, prcv_dtq(40000, &data));
	FAILS(trcv_dtq, E_ID, trcv_dtq(0, &data, 1));
	FAILS(trcv_dtq, E_ID, trcv_dtq(40000, &data, 1));
	FAILS(ref_dtq, E_ID, ref_dtq(0, &rdtq));
	FAILS(ref_dtq, E_ID, ref_dtq(40000, &rdtq));
	FAILS(snd_mbx, E_ID, snd_mbx(0, &message));
	FAILS(snd_mbx, E_ID, snd_mbx(40000, &message));
	FAILS(rcv_mbx, E_ID, rcv_mbx(0, &received));
	FAILS(rcv_mbx, E_ID, rcv_mbx(40000, &received));
	FAILS(prcv_mbx, E_ID, prcv_mbx(0, &received));
	FAILS(prcv_mbx, E_ID, prcv_mbx(40000, &received));
	FAILS(trcv_mbx, E_ID, trcv_mbx(0, &received, 1));
	FAILS(trcv_mbx, E_ID, trcv_mbx(40000, &received, 1));
	FAILS(ref_mbx, E_ID, ref_mbx(0, &rmbx));
	FAILS(ref_mbx, E_ID, ref_mbx(40000, &rmbx));
	FAILS(cre_mtx, E_ID, cre_mtx(0, &cmtx));
	FAILS(cre_mtx, E_ID, cre_mtx(40000, &cmtx));
	FAILS(del_mtx, E_ID, del_mtx(0));
	FAILS(del_mtx, E_ID, del_mtx(40000));
	FAILS(loc_mtx, E_ID, loc_mtx(0));
	FAILS(loc_mtx, E_ID, loc_mtx(40000));
	FAILS(ploc_mtx, E_ID, ploc_mtx(0));
	FAILS(ploc_mtx, E_ID, ploc_mtx(40000));
	FAILS(tloc_mtx, E_ID, tloc_mtx(0, 1));
	FAILS(tloc_mtx, E_ID, tloc_mtx(40000, 1));
	FAILS(unl_mtx, E_ID, unl_mtx(0));
	FAILS(unl_mtx, E_ID, unl_mtx(40000));
	FAILS(ref_mtx, E_ID, ref_mtx(0, &rmtx));
	FAILS(ref_mtx, E_ID, ref_mtx(40000, &rmtx));
	FAILS(rcv_mbf, E_ID, rcv_mbf(0, bytes));
	FAILS(rcv_mbf, E_ID, rcv_mbf(40000, bytes));
	FAILS(prcv_mbf, E_ID, prcv_mbf(0, bytes));
	FAILS(prcv_mbf, E_ID, prcv_mbf(40000, bytes));
	FAILS(trcv_mbf, E_ID, trcv_mbf(0, bytes, 1));
	FAILS(trcv_mbf, E_ID, trcv_mbf(40000, bytes, 1));
	FAILS(ref_mbf, E_ID, ref_mbf(0, &rmbf));
	FAILS(ref_mbf, E_ID, ref_mbf(40000, &rmbf));
	FAILS(cal_por, E_ID, cal_por(0, 1, bytes, 8));
	FAILS(cal_por, E_ID, cal_por(40000, 1, bytes, 8));
	FAILS(tcal_por, E_ID, tcal_por(0, 1, bytes, 8, 1));
	FAILS(tcal_por, E_ID, tcal_por(40000, 1, bytes, 8, 1));
	FAILS(acp_por, E_ID, acp_por(0, 1, &number, bytes));
	FAILS(acp_por, E_ID, acp_por(40000, 1, &number, bytes));
	FAILS(pacp_por, E_ID, pacp_por(0, 1, &number, bytes));
	FAILS(pacp_por, E_ID, pacp_por(40000, 1, &number, bytes));
	FAILS(tacp_por, E_ID, tacp_por(0, 1, &number, bytes, 1));
	FAILS(tacp_por, E_ID, tacp_por(40000, 1, &number, bytes, 1));
	FAILS(ref_por, E_ID, ref_por(0, &rpor));
	FAILS(ref_por, E_ID, ref_por(40000, &rpor));
	FAILS(get_mpf, E_ID, get_mpf(0, &block));
	FAILS(get_mpf, E_ID, get_mpf(40000, &block));
	FAILS(pget_mpf, E_ID, pget_mpf(0, &block));
	FAILS(pget_mpf, E_ID, pget_mpf(40000, &block));
	FAILS(tget_mpf, E_ID, tget_mpf(0, &block, 1));
	FAILS(tget_mpf, E_ID, tget_mpf(40000, &block, 1));
	FAILS(rel_mpf, E_ID, rel_mpf(0, bytes));
	FAILS(rel_mpf, E_ID, rel_mpf(40000, bytes));
	FAILS(ref_mpf, E_ID, ref_mpf(0, &rmpf));
	FAILS(ref_mpf, E_ID, ref_mpf(40000, &rmpf));
	FAILS(get_mpl, E_ID, get_mpl(0, 64, &block));
	FAILS(get_mpl, E_ID, get_mpl(40000, 64, &block));
	FAILS(pget_mpl, E_ID, pget_mpl(0, 64, &block));
	FAILS(pget_mpl, E_ID, pget_mpl(40000, 64, &block));
	FAILS(tget_mpl, E_ID, tget_mpl(0, 64, &block, 1));
	FAILS(tget_mpl, E_ID, tget_mpl(40000, 64, &block, 1));
	FAILS(rel_mpl, E_ID, rel_mpl(0, bytes));
	FAILS(rel_mpl, E_ID, rel_mpl(40000, bytes));
	FAILS(ref_mpl, E_ID, ref_mpl(0, &rmpl));
	FAILS(ref_mpl, E_ID, ref_mpl(40000, &rmpl));
	FAILS(cre_cyc, E_ID, cre_cyc(0, &ccyc));
	FAILS(cre_cyc, E_ID, cre_cyc(40000, &ccyc));
	FAILS(del_cyc, E_ID, del_cyc(0));
	FAILS(del_cyc, E_ID, del_cyc(40000));
	FAILS(sta_cyc, E_ID, sta_cyc(0));
	FAILS(sta_cyc, E_ID, sta_cyc(40000));
	FAILS(stp_cyc, E_ID, stp_cyc(0));
	FAILS(stp_cyc, E_ID, stp_cyc(40000));
	FAILS(ref_cyc, E_ID, ref_cyc(0, &rcyc));
	FAILS(ref_cyc, E_ID, ref_cyc(40000, &rcyc));
	FAILS(cre_alm, E_ID, cre_alm(0, &calm));
	FAILS(cre_alm, E_ID, cre_alm(40000, &calm));
	FAILS(del_alm, E_ID, del_alm(0));
	FAILS(del_alm, E_ID, del_alm(40000));
	FAILS(sta_alm, E_ID, sta_alm(0, 1));
	FAILS(sta_alm, E_ID, sta_alm(40000, 1));
	FAILS(stp_alm, E_ID, stp_alm(0));
	FAILS(stp_alm, E_ID, stp_alm(40000));
	FAILS(ref_alm, E_ID, ref_alm(0, &ralm));
	FAILS(ref_alm, E_ID, ref_alm(40000, &ralm));
	FAILS(sta_ovr, E_ID, sta_ovr(-1, 1));
	FAILS(sta_ovr, E_ID, sta_ovr(40000, 1));
	FAILS(stp_ovr, E_ID, stp_ovr(-1));
	FAILS(stp_ovr, E_ID, stp_ovr(40000));
	FAILS(ref_ovr, E_ID, ref_ovr(-1, &rovr));
	FAILS(ref_ovr, E_ID, ref_ovr(40000, &rovr));
	FAILS(cre_isr, E_ID, cre_isr(0, &cisr));
	FAILS(cre_isr, E_ID, cre_isr(40000, &cisr));
	FAILS(del_isr, E_ID, del_isr(0));
	FAILS(del_isr, E_ID, del_isr(40000));
	FAILS(ref_isr, E_ID, ref_isr(0, &risr));
	FAILS(ref_isr, E_ID, ref_isr(40000, &risr));
}

TEST(ids_without_an_object_do_not_exist)
{
	set_up();
	FAILS(act_tsk, E_NOEXS, act_tsk(99));
	FAILS(iact_tsk, E_NOEXS, iact_tsk(99));
	FAILS(can_act, E_NOEXS, can_act(99));
	FAILS(get_pri, E_NOEXS, get_pri(99, &priority));
	FAILS(ref_tsk, E_NOEXS, ref_tsk(99, &rtsk));
	FAILS(ref_tst, E_NOEXS, ref_tst(99, &rtst));
	FAILS(iwup_tsk, E_NOEXS, iwup_tsk(99));
	FAILS(can_wup, E_NOEXS, can_wup(99));
	FAILS(irel_wai, E_NOEXS, irel_wai(99));
	FAILS(def_tex, E_NOEXS, def_tex(99, &dtex));
	FAILS(ras_tex, E_NOEXS, ras_tex(99, 1));
	FAILS(iras_tex, E_NOEXS, iras_tex(99, 1));
	FAILS(ref_tex, E_NOEXS, ref_tex(99, &rtex));
	FAILS(isig_sem, E_NOEXS, isig_sem(99));
	FAILS(pol_sem, E_NOEXS, pol_sem(99));
	FAILS(ref_sem, E_NOEXS, ref_sem(99, &rsem));
	FAILS(iset_flg, E_NOEXS, iset_flg(99, 1));
	FAILS(wai_flg, E_NOEXS, wai_flg(99, 1, TWF_ORW, &pattern));
	FAILS(pol_flg, E_NOEXS, pol_flg(99, 1, TWF_ORW, &pattern));
	FAILS(twai_flg, E_NOEXS, twai_flg(99, 1, TWF_ORW, &pattern, 1));
	FAILS(ref_flg, E_NOEXS, ref_flg(99, &rflg));
	FAILS(del_dtq, E_NOEXS, del_dtq(99));
	FAILS(snd_dtq, E_NOEXS, snd_dtq(99, 1));
	FAILS(psnd_dtq, E_NOEXS, psnd_dtq(99, 1));
	FAILS(tsnd_dtq, E_NOEXS, tsnd_dtq(99, 1, 1));
	FAILS(ipsnd_dtq, E_NOEXS, ipsnd_dtq(99, 1));
	FAILS(fsnd_dtq, E_NOEXS, fsnd_dtq(99, 1));
	FAILS(ifsnd_dtq, E_NOEXS, ifsnd_dtq(99, 1));
	FAILS(rcv_dtq, E_NOEXS, rcv_dtq(99, &data));
	FAILS(prcv_dtq, E_NOEXS, prcv_dtq(99, &data));
	FAILS(trcv_dtq, E_NOEXS, trcv_dtq(99, &data, 1));
	FAILS(ref_dtq, E_NOEXS, ref_dtq(99, &rdtq));
	FAILS(snd_mbx, E_NOEXS, snd_mbx(99, &message));
	FAILS(rcv_mbx, E_NOEXS, rcv_mbx(99, &received));
	FAILS(prcv_mbx, E_NOEXS, prcv_mbx(99, &received));
	FAILS(trcv_mbx, E_NOEXS, trcv_mbx(99, &received, 1));
	FAILS(ref_mbx, E_NOEXS, ref_mbx(99, &rmbx));
	FAILS(del_mtx, E_NOEXS, del_mtx(99));
	FAILS(loc_mtx, E_NOEXS, loc_mtx(99));
	FAILS(ploc_mtx, E_NOEXS, ploc_mtx(99));
	FAILS(tloc_mtx, E_NOEXS, tloc_mtx(99, 1));
	FAILS(unl_mtx, E_NOEXS, unl_mtx(99));
	FAILS(ref_mtx, E_NOEXS, ref_mtx(99, &rmtx));
	FAILS(rcv_mbf, E_NOEXS, rcv_mbf(99, bytes));
	FAILS(prcv_mbf, E_NOEXS, prcv_mbf(99, bytes));
	FAILS(trcv_mbf, E_NOEXS, trcv_mbf(99, bytes, 1));
	FAILS(ref_mbf, E_NOEXS, ref_mbf(99, &rmbf));
	FAILS(cal_por, E_NOEXS, cal_por(99, 1, bytes, 8));
	FAILS(tcal_por, E_NOEXS, tcal_por(99, 1, bytes, 8, 1));
	FAILS(acp_por, E_NOEXS, acp_por(99, 1, &number, bytes));
	FAILS(pacp_por, E_NOEXS, pacp_por(99, 1, &number, bytes));
	FAILS(tacp_por, E_NOEXS, tacp_por(99, 1, &number, bytes, 1));
	FAILS(ref_por, E_NOEXS, ref_por(99, &rpor));
	FAILS(get_mpf, E_NOEXS, get_mpf(99, &block));
	FAILS(pget_mpf, E_NOEXS, pget_mpf(99, &block));
	FAILS(tget_mpf, E_NOEXS, tget_mpf(99, &block, 1));
	FAILS(rel_mpf, E_NOEXS, rel_mpf(99, bytes));
	FAILS(ref_mpf, E_NOEXS, ref_mpf(99, &rmpf));
	FAILS(get_mpl, E_NOEXS, get_mpl(99, 64, &block));
	FAILS(pget_mpl, E_NOEXS, pget_mpl(99, 64, &block));
	FAILS(tget_mpl, E_NOEXS, tget_mpl(99, 64, &block, 1));
	FAILS(rel_mpl, E_NOEXS, rel_mpl(99, bytes));
	FAILS(ref_mpl, E_NOEXS, ref_mpl(99, &rmpl));
	FAILS(del_cyc, E_NOEXS, del_cyc(99));
	FAILS(sta_cyc, E_NOEXS, sta_cyc(99));
	FAILS(stp_cyc, E_NOEXS, stp_cyc(99));
	FAILS(ref_cyc, E_NOEXS, ref_cyc(99, &rcyc));
	FAILS(del_alm, E_NOEXS, del_alm(99));
	FAILS(sta_alm, E_NOEXS, sta_alm(99, 1));
	FAILS(stp_alm, E_NOEXS, stp_alm(99));
	FAILS(ref_alm, E_NOEXS, ref_alm(99, &ralm));
	FAILS(sta_ovr, E_NOEXS, sta_ovr(99, 1));
	FAILS(stp_ovr, E_NOEXS, stp_ovr(99));
	FAILS(ref_ovr, E_NOEXS, ref_ovr(99, &rovr));
	FAILS(del_isr, E_NOEXS, del_isr(99));
	FAILS(ref_isr, E_NOEXS, ref_isr(99, &risr));
}

TEST(addresses_are_checked)
{
	set_up();
	FAILS(acre_tsk, E_PAR, acre_tsk(NULL));
	FAILS(get_pri, E_PAR, get_pri(1, NULL));
	FAILS(ref_tsk, E_PAR, ref_tsk(1, NULL));
	FAILS(ref_tst, E_PAR, ref_tst(1, NULL));
	FAILS(ref_tex, E_PAR, ref_tex(1, NULL));
	FAILS(acre_sem, E_PAR, acre_sem(NULL));
	FAILS(ref_sem, E_PAR, ref_sem(1, NULL));
	FAILS(acre_flg, E_PAR, acre_flg(NULL));
	FAILS(wai_flg, E_PAR, wai_flg(1, 1, TWF_ORW, NULL));
	FAILS(pol_flg, E_PAR, pol_flg(1, 1, TWF_ORW, NULL));
	FAILS(twai_flg, E_PAR, twai_flg(1, 1, TWF_ORW, NULL, 1));
	FAILS(ref_flg, E_PAR, ref_flg(1, NULL));
	FAILS(cre_dtq, E_PAR, cre_dtq(1, NULL));
	FAILS(acre_dtq, E_PAR, acre_dtq(NULL));
	FAILS(rcv_dtq, E_PAR, rcv_dtq(1, NULL));
	FAILS(prcv_dtq, E_PAR, prcv_dtq(1, NULL));
	FAILS(trcv_dtq, E_PAR, trcv_dtq(1, NULL, 1));
	FAILS(ref_dtq, E_PAR, ref_dtq(1, NULL));
	FAILS(acre_mbx, E_PAR, acre_mbx(NULL));
	FAILS(snd_mbx, E_PAR, snd_mbx(1, NULL));
	FAILS(rcv_mbx, E_PAR, rcv_mbx(1, NULL));
	FAILS(prcv_mbx, E_PAR, prcv_mbx(1, NULL));
	FAILS(trcv_mbx, E_PAR, trcv_mbx(1, NULL, 1));
	FAILS(ref_mbx, E_PAR, ref_mbx(1, NULL));
	FAILS(cre_mtx, E_PAR, cre_mtx(1, NULL));
	FAILS(acre_mtx, E_PAR, acre_mtx(NULL));
	FAILS(ref_mtx, E_PAR, ref_mtx(1, NULL));
	FAILS(acre_mbf, E_PAR, acre_mbf(NULL));
	FAILS(rcv_mbf, E_PAR, rcv_mbf(1, NULL));
	FAILS(prcv_mbf, E_PAR, prcv_mbf(1, NULL));
	FAILS(trcv_mbf, E_PAR, trcv_mbf(1, NULL, 1));
	FAILS(ref_mbf, E_PAR, ref_mbf(1, NULL));
	FAILS(acre_por, E_PAR, acre_por(NULL));
	FAILS(cal_por, E_PAR, cal_por(1, 1, NULL, 8));
	FAILS(tcal_por, E_PAR, tcal_por(1, 1, NULL, 8, 1));
	FAILS(acp_por, E_PAR, acp_por(1, 1, NULL, bytes));
	FAILS(pacp_por, E_PAR, pacp_por(1, 1, NULL, bytes));
	FAILS(tacp_por, E_PAR, tacp_por(1, 1, NULL, bytes, 1));
	FAILS(ref_por, E_PAR, ref_por(1, NULL));
	FAILS(ref_rdv, E_PAR, ref_rdv(77, NULL));
	FAILS(acre_mpf, E_PAR, acre_mpf(NULL));
	FAILS(get_mpf, E_PAR, get_mpf(1, NULL));
	FAILS(pget_mpf, E_PAR, pget_mpf(1, NULL));
	FAILS(tget_mpf, E_PAR, tget_mpf(1, NULL, 1));
	FAILS(ref_mpf, E_PAR, ref_mpf(1, NULL));
	FAILS(acre_mpl, E_PAR, acre_mpl(NULL));
	FAILS(get_mpl, E_PAR, get_mpl(1, 64, NULL));
	FAILS(pget_mpl, E_PAR, pget_mpl(1, 64, NULL));
	FAILS(tget_mpl, E_PAR, tget_mpl(1, 64, NULL, 1));
	FAILS(ref_mpl, E_PAR, ref_mpl(1, NULL));
	FAILS(cre_cyc, E_PAR, cre_cyc(1, NULL));
	FAILS(acre_cyc, E_PAR, acre_cyc(NULL));
	FAILS(ref_cyc, E_PAR, ref_cyc(1, NULL));
	FAILS(cre_alm, E_PAR, cre_alm(1, NULL));
	FAILS(acre_alm, E_PAR, acre_alm(NULL));
	FAILS(ref_alm, E_PAR, ref_alm(1, NULL));
	FAILS(ref_ovr, E_PAR, ref_ovr(1, NULL));
	FAILS(iget_tid, E_PAR, iget_tid(NULL));
	FAILS(cre_isr, E_PAR, cre_isr(1, NULL));
	FAILS(acre_isr, E_PAR, acre_isr(NULL));
	FAILS(ref_isr, E_PAR, ref_isr(1, NULL));
	FAILS(ref_ver, E_PAR, ref_ver(NULL));
}

TEST(ids_in_use_are_refused)
{
	set_up();
	FAILS(cre_dtq, E_OBJ, cre_dtq(1, &cdtq));
	FAILS(cre_mtx, E_OBJ, cre_mtx(1, &cmtx));
	FAILS(cre_cyc, E_OBJ, cre_cyc(1, &ccyc));
	FAILS(cre_alm, E_OBJ, cre_alm(1, &calm));
	FAILS(cre_isr, E_OBJ, cre_isr(1, &cisr));
}

TEST(unknown_attributes_are_refused)
{
	set_up();
	ctsk.tskatr |= 0x10000;
	FAILS(acre_tsk, E_RSATR, acre_tsk(&ctsk));
	csem.sematr |= 0x10000;
	FAILS(acre_sem, E_RSATR, acre_sem(&csem));
	cflg.flgatr |= 0x10000;
	FAILS(acre_flg, E_RSATR, acre_flg(&cflg));
	cdtq.dtqatr |= 0x10000;
	FAILS(cre_dtq, E_RSATR, cre_dtq(98, &cdtq));
	FAILS(acre_dtq, E_RSATR, acre_dtq(&cdtq));
	cmbx.mbxatr |= 0x10000;
	FAILS(acre_mbx, E_RSATR, acre_mbx(&cmbx));
	cmtx.mtxatr |= 0x10000;
	FAILS(cre_mtx, E_RSATR, cre_mtx(98, &cmtx));
	FAILS(acre_mtx, E_RSATR, acre_mtx(&cmtx));
	cmbf.mbfatr |= 0x10000;
	FAILS(acre_mbf, E_RSATR, acre_mbf(&cmbf));
	cpor.poratr |= 0x10000;
	FAILS(acre_por, E_RSATR, acre_por(&cpor));
	cmpf.mpfatr |= 0x10000;
	FAILS(acre_mpf, E_RSATR, acre_mpf(&cmpf));
	cmpl.mplatr |= 0x10000;
	FAILS(acre_mpl, E_RSATR, acre_mpl(&cmpl));
	ccyc.cycatr |= 0x10000;
	FAILS(cre_cyc, E_RSATR, cre_cyc(98, &ccyc));
	FAILS(acre_cyc, E_RSATR, acre_cyc(&ccyc));
	calm.almatr |= 0x10000;
	FAILS(cre_alm, E_RSATR, cre_alm(98, &calm));
	FAILS(acre_alm, E_RSATR, acre_alm(&calm));
	cisr.isratr |= 0x10000;
	FAILS(cre_isr, E_RSATR, cre_isr(98, &cisr));
	FAILS(acre_isr, E_RSATR, acre_isr(&cisr));
	dtex.texatr |= 0x10000;
	FAILS(def_tex, E_RSATR, def_tex(1, &dtex));
	dovr.ovratr |= 0x10000;
	FAILS(def_ovr, E_RSATR, def_ovr(&dovr));
	dinh.inhatr |= 0x10000;
	FAILS(def_inh, E_RSATR, def_inh(7, &dinh));
}

static void refuse_in_handler(void *unused)
{
	(void)unused;
	FAILS(acre_tsk, E_CTX, acre_tsk(&ctsk));
	FAILS(ref_tsk, E_CTX, ref_tsk(1, &rtsk));
	FAILS(ref_tst, E_CTX, ref_tst(1, &rtst));
	FAILS(def_tex, E_CTX, def_tex(1, &dtex));
	FAILS(ref_tex, E_CTX, ref_tex(1, &rtex));
	FAILS(acre_sem, E_CTX, acre_sem(&csem));
	FAILS(acre_flg, E_CTX, acre_flg(&cflg));
	FAILS(wai_flg, E_CTX, wai_flg(1, 1, TWF_ORW, &pattern));
	FAILS(twai_flg, E_CTX, twai_flg(1, 1, TWF_ORW, &pattern, 1));
	FAILS(cre_dtq, E_CTX, cre_dtq(98, &cdtq));
	FAILS(acre_dtq, E_CTX, acre_dtq(&cdtq));
	FAILS(del_dtq, E_CTX, del_dtq(1));
	FAILS(snd_dtq, E_CTX, snd_dtq(2, 1));
	FAILS(tsnd_dtq, E_CTX, tsnd_dtq(2, 1, 1));
	FAILS(rcv_dtq, E_CTX, rcv_dtq(1, &data));
	FAILS(trcv_dtq, E_CTX, trcv_dtq(1, &data, 1));
	FAILS(acre_mbx, E_CTX, acre_mbx(&cmbx));
	FAILS(rcv_mbx, E_CTX, rcv_mbx(1, &received));
	FAILS(trcv_mbx, E_CTX, trcv_mbx(1, &received, 1));
	FAILS(cre_mtx, E_CTX, cre_mtx(98, &cmtx));
	FAILS(acre_mtx, E_CTX, acre_mtx(&cmtx));
	FAILS(del_mtx, E_CTX, del_mtx(1));
	FAILS(loc_mtx, E_CTX, loc_mtx(1));
	FAILS(tloc_mtx, E_CTX, tloc_mtx(1, 1));
	FAILS(acre_mbf, E_CTX, acre_mbf(&cmbf));
	FAILS(rcv_mbf, E_CTX, rcv_mbf(1, bytes));
	FAILS(trcv_mbf, E_CTX, trcv_mbf(1, bytes, 1));
	FAILS(acre_por, E_CTX, acre_por(&cpor));
	FAILS(cal_por, E_CTX, cal_por(1, 1, bytes, 8));
	FAILS(tcal_por, E_CTX, tcal_por(1, 1, bytes, 8, 1));
	FAILS(acp_por, E_CTX, acp_por(1, 1, &number, bytes));
	FAILS(pacp_por, E_CTX, pacp_por(1, 1, &number, bytes));
	FAILS(tacp_por, E_CTX, tacp_por(1, 1, &number, bytes, 1));
	FAILS(acre_mpf, E_CTX, acre_mpf(&cmpf));
	FAILS(get_mpf, E_CTX, get_mpf(1, &block));
	FAILS(tget_mpf, E_CTX, tget_mpf(1, &block, 1));
	FAILS(acre_mpl, E_CTX, acre_mpl(&cmpl));
	FAILS(get_mpl, E_CTX, get_mpl(1, 64, &block));
	FAILS(tget_mpl, E_CTX, tget_mpl(1, 64, &block, 1));
	FAILS(cre_cyc, E_CTX, cre_cyc(98, &ccyc));
	FAILS(acre_cyc, E_CTX, acre_cyc(&ccyc));
	FAILS(del_cyc, E_CTX, del_cyc(1));
	FAILS(cre_alm, E_CTX, cre_alm(98, &calm));
	FAILS(acre_alm, E_CTX, acre_alm(&calm));
	FAILS(del_alm, E_CTX, del_alm(1));
	FAILS(def_ovr, E_CTX, def_ovr(&dovr));
	FAILS(sta_ovr, E_CTX, sta_ovr(1, 1));
	FAILS(stp_ovr, E_CTX, stp_ovr(1));
	FAILS(ref_ovr, E_CTX, ref_ovr(1, &rovr));
	FAILS(def_inh, E_CTX, def_inh(7, &dinh));
	FAILS(cre_isr, E_CTX, cre_isr(98, &cisr));
	FAILS(acre_isr, E_CTX, acre_isr(&cisr));
	FAILS(del_isr, E_CTX, del_isr(1));
}

TEST(handlers_neither_wait_nor_create)
{
	set_up();
	test_in_handler(refuse_in_handler, NULL);
}

static void refuse_locked(void)
{
	expect_ok(loc_cpu());
	FAILS(cre_tsk, E_CTX, cre_tsk(98, &ctsk));
	FAILS(acre_tsk, E_CTX, acre_tsk(&ctsk));
	FAILS(del_tsk, E_CTX, del_tsk(1));
	FAILS(act_tsk, E_CTX, act_tsk(1));
	FAILS(iact_tsk, E_CTX, iact_tsk(1));
	FAILS(can_act, E_CTX, can_act(1));
	FAILS(sta_tsk, E_CTX, sta_tsk(1, 0));
	FAILS(ter_tsk, E_CTX, ter_tsk(1));
	FAILS(chg_pri, E_CTX, chg_pri(1, 5));
	FAILS(get_pri, E_CTX, get_pri(1, &priority));
	FAILS(ref_tsk, E_CTX, ref_tsk(1, &rtsk));
	FAILS(ref_tst, E_CTX, ref_tst(1, &rtst));
	FAILS(slp_tsk, E_CTX, slp_tsk());
	FAILS(tslp_tsk, E_CTX, tslp_tsk(1));
	FAILS(wup_tsk, E_CTX, wup_tsk(1));
	FAILS(iwup_tsk, E_CTX, iwup_tsk(1));
	FAILS(can_wup, E_CTX, can_wup(1));
	FAILS(rel_wai, E_CTX, rel_wai(1));
	FAILS(irel_wai, E_CTX, irel_wai(1));
	FAILS(rsm_tsk, E_CTX, rsm_tsk(1));
	FAILS(frsm_tsk, E_CTX, frsm_tsk(1));
	FAILS(dly_tsk, E_CTX, dly_tsk(1));
	FAILS(def_tex, E_CTX, def_tex(1, &dtex));
	FAILS(ras_tex, E_CTX, ras_tex(1, 1));
	FAILS(iras_tex, E_CTX, iras_tex(1, 1));
	FAILS(dis_tex, E_CTX, dis_tex());
	FAILS(ena_tex, E_CTX, ena_tex());
	FAILS(ref_tex, E_CTX, ref_tex(1, &rtex));
	FAILS(cre_sem, E_CTX, cre_sem(98, &csem));
	FAILS(acre_sem, E_CTX, acre_sem(&csem));
	FAILS(del_sem, E_CTX, del_sem(1));
	FAILS(sig_sem, E_CTX, sig_sem(1));
	FAILS(isig_sem, E_CTX, isig_sem(1));
	FAILS(wai_sem, E_CTX, wai_sem(1));
	FAILS(pol_sem, E_CTX, pol_sem(1));
	FAILS(twai_sem, E_CTX, twai_sem(1, 1));
	FAILS(ref_sem, E_CTX, ref_sem(1, &rsem));
	FAILS(cre_flg, E_CTX, cre_flg(98, &cflg));
	FAILS(acre_flg, E_CTX, acre_flg(&cflg));
	FAILS(del_flg, E_CTX, del_flg(1));
	FAILS(set_flg, E_CTX, set_flg(1, 1));
	FAILS(iset_flg, E_CTX, iset_flg(1, 1));
	FAILS(clr_flg, E_CTX, clr_flg(1, 0));
	FAILS(wai_flg, E_CTX, wai_flg(1, 1, TWF_ORW, &pattern));
	FAILS(pol_flg, E_CTX, pol_flg(1, 1, TWF_ORW, &pattern));
	FAILS(twai_flg, E_CTX, twai_flg(1, 1, TWF_ORW, &pattern, 1));
	FAILS(ref_flg, E_CTX, ref_flg(1, &rflg));
	FAILS(cre_dtq, E_CTX, cre_dtq(98, &cdtq));
	FAILS(acre_dtq, E_CTX, acre_dtq(&cdtq));
	FAILS(del_dtq, E_CTX, del_dtq(1));
	FAILS(snd_dtq, E_CTX, snd_dtq(2, 1));
	FAILS(psnd_dtq, E_CTX, psnd_dtq(2, 1));
	FAILS(tsnd_dtq, E_CTX, tsnd_dtq(2, 1, 1));
	FAILS(ipsnd_dtq, E_CTX, ipsnd_dtq(2, 1));
	FAILS(fsnd_dtq, E_CTX, fsnd_dtq(1, 1));
	FAILS(ifsnd_dtq, E_CTX, ifsnd_dtq(1, 1));
	FAILS(rcv_dtq, E_CTX, rcv_dtq(1, &data));
	FAILS(prcv_dtq, E_CTX, prcv_dtq(1, &data));
	FAILS(trcv_dtq, E_CTX, trcv_dtq(1, &data, 1));
	FAILS(ref_dtq, E_CTX, ref_dtq(1, &rdtq));
	FAILS(cre_mbx, E_CTX, cre_mbx(98, &cmbx));
	FAILS(acre_mbx, E_CTX, acre_mbx(&cmbx));
	FAILS(del_mbx, E_CTX, del_mbx(1));
	FAILS(snd_mbx, E_CTX, snd_mbx(1, &message));
	FAILS(rcv_mbx, E_CTX, rcv_mbx(1, &received));
	FAILS(prcv_mbx, E_CTX, prcv_mbx(1, &received));
	FAILS(trcv_mbx, E_CTX, trcv_mbx(1, &received, 1));
	FAILS(ref_mbx, E_CTX, ref_mbx(1, &rmbx));
	FAILS(cre_mtx, E_CTX, cre_mtx(98, &cmtx));
	FAILS(acre_mtx, E_CTX, acre_mtx(&cmtx));
	FAILS(del_mtx, E_CTX, del_mtx(1));
	FAILS(loc_mtx, E_CTX, loc_mtx(1));
	FAILS(ploc_mtx, E_CTX, ploc_mtx(1));
	FAILS(tloc_mtx, E_CTX, tloc_mtx(1, 1));
	FAILS(unl_mtx, E_CTX, unl_mtx(1));
	FAILS(ref_mtx, E_CTX, ref_mtx(1, &rmtx));
	FAILS(cre_mbf, E_CTX, cre_mbf(98, &cmbf));
	FAILS(acre_mbf, E_CTX, acre_mbf(&cmbf));
	FAILS(del_mbf, E_CTX, del_mbf(1));
	FAILS(snd_mbf, E_CTX, snd_mbf(2, bytes, 8));
	FAILS(psnd_mbf, E_CTX, psnd_mbf(2, bytes, 8));
	FAILS(tsnd_mbf, E_CTX, tsnd_mbf(2, bytes, 8, 1));
	FAILS(rcv_mbf, E_CTX, rcv_mbf(1, bytes));
	FAILS(prcv_mbf, E_CTX, prcv_mbf(1, bytes));
	FAILS(trcv_mbf, E_CTX, trcv_mbf(1, bytes, 1));
	FAILS(ref_mbf, E_CTX, ref_mbf(1, &rmbf));
	FAILS(cre_por, E_CTX, cre_por(98, &cpor));
	FAILS(acre_por, E_CTX, acre_por(&cpor));
	FAILS(del_por, E_CTX, del_por(1));
	FAILS(cal_por, E_CTX, cal_por(1, 1, bytes, 8));
	FAILS(tcal_por, E_CTX, tcal_por(1, 1, bytes, 8, 1));
	FAILS(acp_por, E_CTX, acp_por(1, 1, &number, bytes));
	FAILS(pacp_por, E_CTX, pacp_por(1, 1, &number, bytes));
	FAILS(tacp_por, E_CTX, tacp_por(1, 1, &number, bytes, 1));
	FAILS(fwd_por, E_CTX, fwd_por(1, 1, 77, bytes, 8));
	FAILS(rpl_rdv, E_CTX, rpl_rdv(77, bytes, 8));
	FAILS(ref_por, E_CTX, ref_por(1, &rpor));
	FAILS(ref_rdv, E_CTX, ref_rdv(77, &rrdv));
	FAILS(cre_mpf, E_CTX, cre_mpf(98, &cmpf));
	FAILS(acre_mpf, E_CTX, acre_mpf(&cmpf));
	FAILS(del_mpf, E_CTX, del_mpf(1));
	FAILS(get_mpf, E_CTX, get_mpf(1, &block));
	FAILS(pget_mpf, E_CTX, pget_mpf(1, &block));
	FAILS(tget_mpf, E_CTX, tget_mpf(1, &block, 1));
	FAILS(rel_mpf, E_CTX, rel_mpf(1, bytes));
	FAILS(ref_mpf, E_CTX, ref_mpf(1, &rmpf));
	FAILS(cre_mpl, E_CTX, cre_mpl(98, &cmpl));
	FAILS(acre_mpl, E_CTX, acre_mpl(&cmpl));
	FAILS(del_mpl, E_CTX, del_mpl(1));
	FAILS(get_mpl, E_CTX, get_mpl(1, 64, &block));
	FAILS(pget_mpl, E_CTX, pget_mpl(1, 64, &block));
	FAILS(tget_mpl, E_CTX, tget_mpl(1, 64, &block, 1));
	FAILS(rel_mpl, E_CTX, rel_mpl(1, bytes));
	FAILS(ref_mpl, E_CTX, ref_mpl(1, &rmpl));
	FAILS(set_tim, E_CTX, set_tim(&now));
	FAILS(get_tim, E_CTX, get_tim(&now));
	FAILS(cre_cyc, E_CTX, cre_cyc(98, &ccyc));
	FAILS(acre_cyc, E_CTX, acre_cyc(&ccyc));
	FAILS(del_cyc, E_CTX, del_cyc(1));
	FAILS(sta_cyc, E_CTX, sta_cyc(1));
	FAILS(stp_cyc, E_CTX, stp_cyc(1));
	FAILS(ref_cyc, E_CTX, ref_cyc(1, &rcyc));
	FAILS(cre_alm, E_CTX, cre_alm(98, &calm));
	FAILS(acre_alm, E_CTX, acre_alm(&calm));
	FAILS(del_alm, E_CTX, del_alm(1));
	FAILS(sta_alm, E_CTX, sta_alm(1, 1));
	FAILS(stp_alm, E_CTX, stp_alm(1));
	FAILS(ref_alm, E_CTX, ref_alm(1, &ralm));
	FAILS(def_ovr, E_CTX, def_ovr(&dovr));
	FAILS(sta_ovr, E_CTX, sta_ovr(1, 1));
	FAILS(stp_ovr, E_CTX, stp_ovr(1));
	FAILS(ref_ovr, E_CTX, ref_ovr(1, &rovr));
	FAILS(rot_rdq, E_CTX, rot_rdq(5));
	FAILS(irot_rdq, E_CTX, irot_rdq(5));
	FAILS(get_tid, E_CTX, get_tid(&id));
	FAILS(iget_tid, E_CTX, iget_tid(&id));
	FAILS(dis_dsp, E_CTX, dis_dsp());
	FAILS(ena_dsp, E_CTX, ena_dsp());
	FAILS(ref_sys, E_CTX, ref_sys(&rsys));
	FAILS(def_inh, E_CTX, def_inh(7, &dinh));
	FAILS(cre_isr, E_CTX, cre_isr(98, &cisr));
	FAILS(acre_isr, E_CTX, acre_isr(&cisr));
	FAILS(del_isr, E_CTX, del_isr(1));
	FAILS(ref_isr, E_CTX, ref_isr(1, &risr));
	FAILS(def_exc, E_CTX, def_exc(SIGFPE, &dexc));
	FAILS(sus_tsk, E_CTX, sus_tsk(1));
	FAILS(isig_sem, E_CTX, isig_sem(1));
	expect_ok(unl_cpu());
}

TEST(calls_are_refused_while_the_cpu_is_locked)
{
	set_up();
	in_task(refuse_locked);
}

static void release_wai_flg(void)
{
	FAILS(wai_flg, E_RLWAI, wai_flg(1, 1, TWF_ORW, &pattern));
}

static void delete_wai_flg(void)
{
	FAILS(wai_flg, E_DLT, wai_flg(1, 1, TWF_ORW, &pattern));
}

static void release_twai_flg(void)
{
	FAILS(twai_flg, E_RLWAI, twai_flg(1, 1, TWF_ORW, &pattern, LONG));
}

static void delete_twai_flg(void)
{
	FAILS(twai_flg, E_DLT, twai_flg(1, 1, TWF_ORW, &pattern, LONG));
}

static void release_snd_dtq(void)
{
	FAILS(snd_dtq, E_RLWAI, snd_dtq(2, 1));
}

static void delete_snd_dtq(void)
{
	FAILS(snd_dtq, E_DLT, snd_dtq(2, 1));
}

static void release_tsnd_dtq(void)
{
	FAILS(tsnd_dtq, E_RLWAI, tsnd_dtq(2, 1, LONG));
}

static void delete_tsnd_dtq(void)
{
	FAILS(tsnd_dtq, E_DLT, tsnd_dtq(2, 1, LONG));
}

static void release_rcv_dtq(void)
{
	FAILS(rcv_dtq, E_RLWAI, rcv_dtq(1, &data));
}

static void delete_rcv_dtq(void)
{
	FAILS(rcv_dtq, E_DLT, rcv_dtq(1, &data));
}

static void release_trcv_dtq(void)
{
	FAILS(trcv_dtq, E_RLWAI, trcv_dtq(1, &data, LONG));
}

static void delete_trcv_dtq(void)
{
	FAILS(trcv_dtq, E_DLT, trcv_dtq(1, &data, LONG));
}

static void release_rcv_mbx(void)
{
	FAILS(rcv_mbx, E_RLWAI, rcv_mbx(1, &received));
}

static void delete_rcv_mbx(void)
{
	FAILS(rcv_mbx, E_DLT, rcv_mbx(1, &received));
}

static void release_trcv_mbx(void)
{
	FAILS(trcv_mbx, E_RLWAI, trcv_mbx(1, &received, LONG));
}

static void delete_trcv_mbx(void)
{
	FAILS(trcv_mbx, E_DLT, trcv_mbx(1, &received, LONG));
}

static void release_loc_mtx(void)
{
	FAILS(loc_mtx, E_RLWAI, loc_mtx(1));
}

static void delete_loc_mtx(void)
{
	FAILS(loc_mtx, E_DLT, loc_mtx(1));
}

static void release_tloc_mtx(void)
{
	FAILS(tloc_mtx, E_RLWAI, tloc_mtx(1, LONG));
}

static void delete_tloc_mtx(void)
{
	FAILS(tloc_mtx, E_DLT, tloc_mtx(1, LONG));
}

static void release_rcv_mbf(void)
{
	FAILS(rcv_mbf, E_RLWAI, rcv_mbf(1, bytes));
}

static void delete_rcv_mbf(void)
{
	FAILS(rcv_mbf, E_DLT, rcv_mbf(1, bytes));
}

static void release_trcv_mbf(void)
{
	FAILS(trcv_mbf, E_RLWAI, trcv_mbf(1, bytes, LONG));
}

static void delete_trcv_mbf(void)
{
	FAILS(trcv_mbf, E_DLT, trcv_mbf(1, bytes, LONG));
}

static void release_cal_por(void)
{
	FAILS(cal_por, E_RLWAI, cal_por(1, 1, bytes, 8));
}

static void delete_cal_por(void)
{
	FAILS(cal_por, E_DLT, cal_por(1, 1, bytes, 8));
}

static void release_tcal_por(void)
{
	FAILS(tcal_por, E_RLWAI, tcal_por(1, 1, bytes, 8, LONG));
}

static void delete_tcal_por(void)
{
	FAILS(tcal_por, E_DLT, tcal_por(1, 1, bytes, 8, LONG));
}

static void release_acp_por(void)
{
	FAILS(acp_por, E_RLWAI, acp_por(1, 1, &number, bytes));
}

static void delete_acp_por(void)
{
	FAILS(acp_por, E_DLT, acp_por(1, 1, &number, bytes));
}

static void release_tacp_por(void)
{
	FAILS(tacp_por, E_RLWAI, tacp_por(1, 1, &number, bytes, LONG));
}

static void delete_tacp_por(void)
{
	FAILS(tacp_por, E_DLT, tacp_por(1, 1, &number, bytes, LONG));
}

static void release_get_mpf(void)
{
	FAILS(get_mpf, E_RLWAI, get_mpf(1, &block));
}

static void delete_get_mpf(void)
{
	FAILS(get_mpf, E_DLT, get_mpf(1, &block));
}

static void release_tget_mpf(void)
{
	FAILS(tget_mpf, E_RLWAI, tget_mpf(1, &block, LONG));
}

static void delete_tget_mpf(void)
{
	FAILS(tget_mpf, E_DLT, tget_mpf(1, &block, LONG));
}

static void release_get_mpl(void)
{
	FAILS(get_mpl, E_RLWAI, get_mpl(1, 64, &block));
}

static void delete_get_mpl(void)
{
	FAILS(get_mpl, E_DLT, get_mpl(1, 64, &block));
}

static void release_tget_mpl(void)
{
	FAILS(tget_mpl, E_RLWAI, tget_mpl(1, 64, &block, LONG));
}

static void delete_tget_mpl(void)
{
	FAILS(tget_mpl, E_DLT, tget_mpl(1, 64, &block, LONG));
}

TEST(released_waits_say_so)
{
	set_up();
	released(release_wai_flg);
	released(release_twai_flg);
	released(release_snd_dtq);
	released(release_tsnd_dtq);
	released(release_rcv_dtq);
	released(release_trcv_dtq);
	released(release_rcv_mbx);
	released(release_trcv_mbx);
	released(release_loc_mtx);
	released(release_tloc_mtx);
	released(release_rcv_mbf);
	released(release_trcv_mbf);
	released(release_cal_por);
	released(release_tcal_por);
	released(release_acp_por);
	released(release_tacp_por);
	released(release_get_mpf);
	released(release_tget_mpf);
	released(release_get_mpl);
	released(release_tget_mpl);
}

TEST(deletion_ends_the_waits)
{
	set_up();
	deleted(delete_wai_flg, del_flg, 1);
	set_up();
	deleted(delete_twai_flg, del_flg, 1);
	set_up();
	deleted(delete_snd_dtq, del_dtq, 2);
	set_up();
	deleted(delete_tsnd_dtq, del_dtq, 2);
	set_up();
	deleted(delete_rcv_dtq, del_dtq, 1);
	set_up();
	deleted(delete_trcv_dtq, del_dtq, 1);
	set_up();
	deleted(delete_rcv_mbx, del_mbx, 1);
	set_up();
	deleted(delete_trcv_mbx, del_mbx, 1);
	set_up();
	deleted(delete_loc_mtx, del_mtx, 1);
	set_up();
	deleted(delete_tloc_mtx, del_mtx, 1);
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
	deleted(delete_get_mpf, del_mpf, 1);
	set_up();
	deleted(delete_tget_mpf, del_mpf, 1);
	set_up();
	deleted(delete_get_mpl, del_mpl, 1);
	set_up();
	deleted(delete_tget_mpl, del_mpl, 1);
}

TEST(polls_and_timeouts_fail_in_time)
{
	set_up();
	FAILS(pol_sem, E_TMOUT, pol_sem(1));
	FAILS(pol_flg, E_TMOUT, pol_flg(1, 1, TWF_ORW, &pattern));
	FAILS(twai_flg, E_TMOUT, twai_flg(1, 1, TWF_ORW, &pattern, 1));
	FAILS(psnd_dtq, E_TMOUT, psnd_dtq(2, 1));
	FAILS(tsnd_dtq, E_TMOUT, tsnd_dtq(2, 1, 1));
	FAILS(ipsnd_dtq, E_TMOUT, ipsnd_dtq(2, 1));
	FAILS(prcv_dtq, E_TMOUT, prcv_dtq(1, &data));
	FAILS(trcv_dtq, E_TMOUT, trcv_dtq(1, &data, 1));
	FAILS(prcv_mbx, E_TMOUT, prcv_mbx(1, &received));
	FAILS(trcv_mbx, E_TMOUT, trcv_mbx(1, &received, 1));
	FAILS(prcv_mbf, E_TMOUT, prcv_mbf(1, bytes));
	FAILS(trcv_mbf, E_TMOUT, trcv_mbf(1, bytes, 1));
	FAILS(pacp_por, E_TMOUT, pacp_por(1, 1, &number, bytes));
	FAILS(tacp_por, E_TMOUT, tacp_por(1, 1, &number, bytes, 1));
	FAILS(pget_mpf, E_TMOUT, pget_mpf(1, &block));
	FAILS(tget_mpf, E_TMOUT, tget_mpf(1, &block, 1));
	FAILS(pget_mpl, E_TMOUT, pget_mpl(1, 64, &block));
	FAILS(tget_mpl, E_TMOUT, tget_mpl(1, 64, &block, 1));
	in_task(time_out);
}

TEST(timeouts_below_forever_are_refused)
{
	set_up();
	FAILS(twai_flg, E_PAR, twai_flg(1, 1, TWF_ORW, &pattern, -2));
	FAILS(tsnd_dtq, E_PAR, tsnd_dtq(2, 1, -2));
	FAILS(trcv_dtq, E_PAR, trcv_dtq(1, &data, -2));
	FAILS(trcv_mbx, E_PAR, trcv_mbx(1, &received, -2));
	FAILS(trcv_mbf, E_PAR, trcv_mbf(1, bytes, -2));
	FAILS(tacp_por, E_PAR, tacp_por(1, 1, &number, bytes, -2));
	FAILS(tget_mpf, E_PAR, tget_mpf(1, &block, -2));
	FAILS(tget_mpl, E_PAR, tget_mpl(1, 64, &block, -2));
}

TASK_TEST(memory_runs_out)
{
	use_up_memory();
	FAILS(acre_tsk, E_NOMEM, acre_tsk(&ctsk));
	FAILS(acre_sem, E_NOMEM, acre_sem(&csem));
	FAILS(acre_flg, E_NOMEM, acre_flg(&cflg));
	FAILS(cre_dtq, E_NOMEM, cre_dtq(1, &cdtq));
	FAILS(acre_dtq, E_NOMEM, acre_dtq(&cdtq));
	FAILS(acre_mbx, E_NOMEM, acre_mbx(&cmbx));
	FAILS(cre_mtx, E_NOMEM, cre_mtx(1, &cmtx));
	FAILS(acre_mtx, E_NOMEM, acre_mtx(&cmtx));
	FAILS(acre_mbf, E_NOMEM, acre_mbf(&cmbf));
	FAILS(acre_por, E_NOMEM, acre_por(&cpor));
	FAILS(acre_mpf, E_NOMEM, acre_mpf(&cmpf));
	FAILS(acre_mpl, E_NOMEM, acre_mpl(&cmpl));
	FAILS(cre_cyc, E_NOMEM, cre_cyc(1, &ccyc));
	FAILS(acre_cyc, E_NOMEM, acre_cyc(&ccyc));
	FAILS(cre_alm, E_NOMEM, cre_alm(1, &calm));
	FAILS(acre_alm, E_NOMEM, acre_alm(&calm));
}
