/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers of times and interrupts, locks of the CPU, what the program defines. */
#include "uitron_test.h"

#include <signal.h>
#include <unistd.h>

static int runs;

static void cycle(void)
{
	runs++;
	expect_ok(sig_sem(1));
	if (runs == 2)
		WORKS(ret_tmr, (ret_tmr(), 0));
}

static void three_cycles(void)
{
	for (int i = 0; i < 3; i++)
		expect_ok(twai_sem(1, LONG));
}

TEST(cyclic_handler_runs_each_period)
{
	T_DCYC packet = {&packet, TA_HLNG, (FP)cycle, TCY_ON, 5};
	T_RCYC info;
	VP none = NADR;

	expect_ok(cre_sem(1, &csem));
	WORKS(def_cyc, def_cyc(3, &packet));
	in_task(three_cycles);
	WORKS(ref_cyc, ref_cyc(&info, 3));
	expect_eq(info.cycact, TCY_ON);
	expect_true(info.exinf == &packet && info.lfttim <= 5);
	WORKS(act_cyc, act_cyc(3, TCY_OFF));
	while (!preq_sem(1))
		;
	FAILS(twai_sem, E_TMOUT, twai_sem(1, 12));
	WORKS(act_cyc, act_cyc(3, TCY_ON | TCY_INI));
	expect_ok(twai_sem(1, LONG));
	WORKS(def_cyc, def_cyc(3, none));
	FAILS(ref_cyc, E_NOEXS, ref_cyc(&info, 3));
	FAILS(act_cyc, E_NOEXS, act_cyc(3, TCY_ON));
	FAILS(def_cyc, E_NOEXS, def_cyc(3, none));
	FAILS(act_cyc, E_PAR, act_cyc(3, 8));
	FAILS(act_cyc, E_PAR, act_cyc(0, TCY_ON));
	FAILS(ref_cyc, E_PAR, ref_cyc(&info, 0));
	packet.cyctim = 0;
	FAILS(def_cyc, E_PAR, def_cyc(3, &packet));
	FAILS(def_cyc, E_PAR, def_cyc(0, &packet));
}

static void alarm_once(void)
{
	T_RALM info;

	FAILS(ref_alm, E_NOEXS, ref_alm(&info, 3));
	mark("alarm");
	expect_ok(sig_sem(1));
}

static void one_unit(void)
{
	expect_ok(twai_sem(1, LONG));
}

TEST(alarm_handler_runs_once)
{
	T_DALM packet = {&packet, TA_HLNG, (FP)alarm_once, TTM_REL, 3};
	SYSTIME now = 1000;
	T_RALM info;
	VP none = NADR;

	expect_ok(cre_sem(1, &csem));
	WORKS(def_alm, def_alm(3, &packet));
	in_task(one_unit);
	FAILS(ref_alm, E_NOEXS, ref_alm(&info, 3));
	WORKS(set_tim, set_tim(&now));
	packet.tmmode = TTM_ABS;
	packet.almtim = 1010;
	expect_ok(def_alm(3, &packet));
	WORKS(ref_alm, ref_alm(&info, 3));
	expect_true(info.exinf == &packet && info.lfttim <= 10);
	in_task(one_unit);
	expect_marks("alarm alarm");
	packet.almtim = 5;
	FAILS(def_alm, E_PAR, def_alm(3, &packet));
	packet.almtim = 100000;
	expect_ok(def_alm(3, &packet));
	WORKS(def_alm, def_alm(3, none));
	FAILS(def_alm, E_NOEXS, def_alm(3, none));
	FAILS(ref_alm, E_PAR, ref_alm(&info, 0));
	now = -1;
	FAILS(set_tim, E_PAR, set_tim(&now));
}

static void interrupt(INT dintno)
{
	expect_eq(dintno, 9);
	mark("interrupt");
	WORKS(ret_int, (ret_int(), 0));
	mark("never");
}

static void interrupt_and_wake(void)
{
	mark("wakes");
	WORKS(ret_wup, (ret_wup(3), 0));
}

static void wait_for_interrupt(void)
{
	expect_ok(tslp_tsk(LONG));
	mark("woken");
}

static void raise_and_lock(void)
{
	expect_ok(dis_int(9));
	WORKS(vras_int, vras_int(9));
	mark("disabled");
	WORKS(ena_int, ena_int(9));
	mark("enabled");
	WORKS(vras_int, vras_int(9));
	WORKS(loc_cpu, loc_cpu());
	WORKS(loc_cpu, loc_cpu());
	expect_ok(vras_int(9));
	mark("locked");
	FAILS(slp_tsk, E_CTX, slp_tsk());
	FAILS(dis_dsp, E_CTX, dis_dsp());
	FAILS(ena_dsp, E_CTX, ena_dsp());
	WORKS(unl_cpu, unl_cpu());
	mark("free");
}

TEST(interrupts_wait_while_they_are_disabled)
{
	T_DINT packet = {TA_HLNG, (FP)interrupt};
	VP none = NADR;

	FAILS(vras_int, E_NOEXS, vras_int(9));
	WORKS(def_int, def_int(9, &packet));
	WORKS(dis_int, dis_int(9));
	start(3, 10, raise_and_lock);
	until_dormant(3);
	expect_marks("disabled interrupt enabled interrupt locked interrupt free");
	packet.inthdr = (FP)interrupt_and_wake;
	expect_ok(def_int(9, &packet));
	start(3, 10, wait_for_interrupt);
	expect_ok(vras_int(9));
	until_dormant(3);
	expect_marks("disabled interrupt enabled interrupt locked interrupt free wakes woken");
	WORKS(def_int, def_int(9, none));
	FAILS(vras_int, E_NOEXS, vras_int(9));
	FAILS(vras_int, E_PAR, vras_int(256));
	FAILS(dis_int, E_PAR, dis_int(256));
	FAILS(ena_int, E_PAR, ena_int(256));
	FAILS(def_int, E_PAR, def_int(256, &packet));
	FAILS(loc_cpu, E_CTX, loc_cpu());
	FAILS(unl_cpu, E_CTX, unl_cpu());
}

static void state_in_handler(void *unused)
{
	T_RSYS info;
	ID own = 5;

	(void)unused;
	WORKS(ref_sys, ref_sys(&info));
	expect_eq(info.sysstat, TSS_INDP);
	WORKS(get_tid, get_tid(&own));
	expect_eq(own, 0);
	WORKS(sta_tsk, sta_tsk(1, 0));
	WORKS(set_flg, set_flg(1, 1));
	WORKS(snd_msg, snd_msg(1, &message));
	WORKS(rot_rdq, rot_rdq(5));
	WORKS(psnd_mbf, psnd_mbf(1, bytes, 8));
	FAILS(preq_sem, E_TMOUT, preq_sem(1));
	mark("handler");
}

TEST(handlers_use_what_does_not_wait)
{
	set_up();
	test_in_handler(state_in_handler, NULL);
	until_dormant(1);
	expect_marks("handler");
}
