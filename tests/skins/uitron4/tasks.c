/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks: activation, priorities, sleeps, suspensions, exceptions, overruns. */
#include "uitron4_test.h"

#include <stdio.h>
#include <unistd.h>

static void tell(VP_INT code)
{
	char word[15];

	snprintf(word, sizeof(word), "%d", (int)code);
	mark(word);
}

TEST(task_gets_its_information_or_its_code)
{
	T_CTSK packet = {TA_HLNG | TA_ACT, 7, (FP)tell, 10, 128 * 1024, NULL};
	T_RTSK info;
	T_RTST state;
	ER_ID id;

	WORKS(cre_tsk, cre_tsk(3, &packet));
	until_dormant(3);
	WORKS(sta_tsk, sta_tsk(3, 8));
	until_dormant(3);
	WORKS(act_tsk, act_tsk(3));
	until_dormant(3);
	expect_marks("7 8 7");
	WORKS(ref_tsk, ref_tsk(3, &info));
	expect_eq(info.tskstat, TTS_DMT);
	expect_eq(info.tskbpri, 10);
	WORKS(ref_tst, ref_tst(3, &state));
	expect_eq(state.tskstat, TTS_DMT);
	packet.tskatr = TA_HLNG;
	id = WORKS(acre_tsk, acre_tsk(&packet));
	expect_eq(id, 1);
	WORKS(del_tsk, del_tsk(id));
	FAILS(ref_tsk, E_NOEXS, ref_tsk(id, &info));
}

static void sleep_once(void)
{
	mark("sleeps");
	(void)slp_tsk();
	mark("woken");
}

TEST(activations_are_counted)
{
	T_RTSK info;

	start(3, 10, sleep_once);
	FAILS(sta_tsk, E_OBJ, sta_tsk(3, 0));
	FAILS(del_tsk, E_OBJ, del_tsk(3));
	for (int i = 0; i < 3; i++)
		WORKS(act_tsk, act_tsk(3));
	expect_ok(ref_tsk(3, &info));
	expect_eq(info.actcnt, 3);
	expect_eq(WORKS(can_act, can_act(3)), 3);
	WORKS(iact_tsk, iact_tsk(3));
	WORKS(wup_tsk, wup_tsk(3));
	until_rests(3);
	expect_marks("sleeps woken sleeps");
	expect_ok(act_tsk(3));
	WORKS(ter_tsk, ter_tsk(3));
	until_rests(3);
	expect_marks("sleeps woken sleeps sleeps");
	expect_ok(wup_tsk(3));
	until_dormant(3);
	start(3, 10, sleep_once);
	for (int i = 0; i < TMAX_ACTCNT; i++)
		expect_ok(act_tsk(3));
	FAILS(act_tsk, E_QOVR, act_tsk(3));
	FAILS(iact_tsk, E_QOVR, iact_tsk(3));
}

TEST(dormant_task_has_no_state_to_change)
{
	PRI priority;

	expect_ok(cre_tsk(1, &ctsk));
	FAILS(get_pri, E_OBJ, get_pri(1, &priority));
	FAILS(irel_wai, E_OBJ, irel_wai(1));
	FAILS(iwup_tsk, E_OBJ, iwup_tsk(1));
	FAILS(can_wup, E_OBJ, can_wup(1));
}

static void act_on_itself(void)
{
	PRI priority = 0;

	FAILS(ter_tsk, E_ILUSE, ter_tsk(3));
	FAILS(rel_wai, E_OBJ, rel_wai(3));
	FAILS(rsm_tsk, E_OBJ, rsm_tsk(3));
	WORKS(wup_tsk, wup_tsk(TSK_SELF));
	WORKS(iwup_tsk, iwup_tsk(3));
	expect_eq(WORKS(can_wup, can_wup(TSK_SELF)), 2);
	expect_ok(wup_tsk(TSK_SELF));
	WORKS(slp_tsk, slp_tsk());
	FAILS(tslp_tsk, E_TMOUT, tslp_tsk(TMO_POL));
	WORKS(chg_pri, chg_pri(TSK_SELF, 20));
	WORKS(get_pri, get_pri(TSK_SELF, &priority));
	expect_eq(priority, 20);
	expect_ok(chg_pri(TSK_SELF, TPRI_INI));
	mark("suspends");
	WORKS(sus_tsk, sus_tsk(TSK_SELF));
	mark("resumed");
	expect_ok(wup_tsk(3));
	WORKS(tslp_tsk, tslp_tsk(LONG));
	WORKS(dly_tsk, dly_tsk(2));
	WORKS(dly_tsk, dly_tsk(0));
	mark("ends");
}

TEST(task_acts_on_itself)
{
	T_RTSK info;

	start(3, 10, act_on_itself);
	expect_marks("suspends");
	expect_ok(ref_tsk(3, &info));
	expect_eq(info.tskstat, TTS_SUS);
	WORKS(rsm_tsk, rsm_tsk(3));
	until_dormant(3);
	expect_marks("suspends resumed ends");
	FAILS(slp_tsk, E_CTX, slp_tsk());
	FAILS(dly_tsk, E_CTX, dly_tsk(1));
	FAILS(chg_pri, E_PAR, chg_pri(3, 256));
}

static void delay_long(void)
{
	FAILS(dly_tsk, E_RLWAI, dly_tsk(3000000000u));
	FAILS(dly_tsk, E_RLWAI, dly_tsk(LONG));
}

/* A delay can be longer than the member that tells what is left of it. */
TEST(rest_of_a_long_delay_is_told_as_the_longest_time)
{
	T_RTSK info;

	start(3, 10, delay_long);
	expect_ok(ref_tsk(3, &info));
	expect_eq(info.tskwait, TTW_DLY);
	expect_eq(info.lefttmo, INT32_MAX);
	expect_ok(rel_wai(3));
	until_rests(3);
	expect_ok(ref_tsk(3, &info));
	expect_true(info.lefttmo > LONG - 1000 && info.lefttmo <= LONG);
	expect_ok(rel_wai(3));
	until_dormant(3);
}

TEST(suspensions_are_counted)
{
	T_RTSK info;

	start(3, 10, sleep_once);
	FAILS(rsm_tsk, E_OBJ, rsm_tsk(3));
	FAILS(frsm_tsk, E_OBJ, frsm_tsk(3));
	for (int i = 0; i < TMAX_SUSCNT; i++)
		expect_ok(sus_tsk(3));
	FAILS(sus_tsk, E_QOVR, sus_tsk(3));
	WORKS(irel_wai, irel_wai(3));
	expect_ok(ref_tsk(3, &info));
	expect_eq(info.tskstat, TTS_SUS);
	expect_eq(info.suscnt, TMAX_SUSCNT);
	WORKS(frsm_tsk, frsm_tsk(3));
	until_dormant(3);
	expect_marks("sleeps woken");
}

static void sleep_long(void)
{
	(void)tslp_tsk(LONG);
}

static ID semaphore;

static void wait_in_three_ways(void)
{
	(void)twai_sem(semaphore, LONG);
	(void)tslp_tsk(1);
	(void)wai_sem(semaphore);
}

TEST(wait_is_told_by_the_last_call)
{
	const T_CSEM packet = {TA_TPRI, 0, 1};
	T_RTSK info;

	semaphore = acre_sem(&packet);
	start(3, 10, wait_in_three_ways);
	expect_ok(ref_tsk(3, &info));
	expect_eq(info.tskwait, TTW_SEM);
	expect_eq(info.wobjid, semaphore);
	expect_true(info.lefttmo > LONG - 100 && info.lefttmo <= LONG);
	expect_ok(sig_sem(semaphore));
	do
		expect_ok(ref_tsk(3, &info));
	while (info.tskwait != TTW_SEM || info.lefttmo != TMO_FEVR);
	expect_eq(info.wobjid, semaphore);
	expect_ok(sig_sem(semaphore));
	until_dormant(3);
	expect_ok(del_sem(semaphore));
}

TEST(wakeups_are_counted)
{
	T_RTSK info;

	start(3, 10, sleep_long);
	expect_ok(ref_tsk(3, &info));
	expect_eq(info.tskwait, TTW_SLP);
	expect_true(info.lefttmo > LONG - 100 && info.lefttmo <= LONG);
	expect_ok(sus_tsk(3));
	expect_ok(wup_tsk(3));
	for (int i = 0; i < TMAX_WUPCNT; i++)
		expect_ok(wup_tsk(3));
	FAILS(wup_tsk, E_QOVR, wup_tsk(3));
	FAILS(iwup_tsk, E_QOVR, iwup_tsk(3));
	expect_ok(ref_tsk(3, &info));
	expect_eq(info.wupcnt, TMAX_WUPCNT);
}

static TEXPTN raised;

static void take_exception(TEXPTN texptn, VP_INT exinf)
{
	(void)exinf;
	raised |= texptn;
	mark("exception");
	expect_true(sns_tex());
}

static void raise_exceptions(void)
{
	T_RTEX info;

	FAILS(ena_tex, E_OBJ, ena_tex());
	FAILS(dis_tex, E_OBJ, dis_tex());
	FAILS(ref_tex, E_OBJ, ref_tex(TSK_SELF, &info));
	FAILS(ras_tex, E_OBJ, ras_tex(TSK_SELF, 1));
	FAILS(iras_tex, E_OBJ, iras_tex(TSK_SELF, 1));
	dtex.texrtn = (FP)(void (*)(void))take_exception;
	WORKS(def_tex, def_tex(TSK_SELF, &dtex));
	WORKS(sns_tex, sns_tex());
	expect_true(sns_tex());
	WORKS(ras_tex, ras_tex(TSK_SELF, 5));
	WORKS(ref_tex, ref_tex(TSK_SELF, &info));
	expect_eq(info.texstat, TTEX_DIS);
	expect_eq(info.pndptn, 5);
	mark("disabled");
	WORKS(ena_tex, ena_tex());
	expect_true(!sns_tex());
	mark("enabled");
	WORKS(iras_tex, iras_tex(3, 2));
	WORKS(dis_tex, dis_tex());
	expect_ok(ras_tex(3, 8));
	mark("ends");
}

TEST(exceptions_run_in_their_task)
{
	expect_ok(cre_tsk(1, &ctsk));
	start(3, 10, raise_exceptions);
	until_dormant(3);
	expect_marks("disabled exception enabled exception ends");
	expect_eq(raised, 7);
	FAILS(ras_tex, E_OBJ, ras_tex(3, 1));
	FAILS(ras_tex, E_PAR, ras_tex(3, 0));
	FAILS(iras_tex, E_PAR, iras_tex(3, 0));
	dtex.texrtn = NULL;
	FAILS(def_tex, E_PAR, def_tex(1, &dtex));
	FAILS(def_tex, E_PAR, def_tex(1, (const T_DTEX *)(intptr_t)-1));
	expect_ok(def_tex(3, NULL));
}

static void end_in_exception(TEXPTN texptn, VP_INT exinf)
{
	(void)texptn;
	(void)exinf;
	mark("exception");
	ext_tsk();
}

static void wait_with_exceptions(void)
{
	expect_ok(ena_tex());
	mark("waits");
	expect_error(slp_tsk(), -E_RLWAI);
	mark("never");
}

TEST(exception_ends_its_task)
{
	T_CTSK packet = {TA_HLNG, 0, (FP)wait_with_exceptions, 10, 0, NULL};

	expect_ok(cre_tsk(3, &packet));
	dtex.texrtn = (FP)(void (*)(void))end_in_exception;
	expect_ok(def_tex(3, &dtex));
	for (int i = 0; i < 2; i++) {
		expect_ok(act_tsk(3));
		until_rests(3);
		expect_ok(ras_tex(3, 1));
		expect_ok(rel_wai(3));
		until_dormant(3);
	}
	expect_marks("waits exception waits exception");
}

static void overrun(ID tskid, VP_INT exinf)
{
	expect_eq(tskid, 3);
	expect_eq(exinf, 0);
	mark("overrun");
	WORKS(sns_ctx, sns_ctx());
	expect_true(sns_ctx());
}

static void compute(void)
{
	T_ROVR info;

	WORKS(sta_ovr, sta_ovr(TSK_SELF, 5));
	tact_compute(2 * TEST_MS);
	WORKS(ref_ovr, ref_ovr(TSK_SELF, &info));
	expect_eq(info.ovrstat, TOVR_STA);
	expect_true(info.leftotm > 0 && info.leftotm <= 3);
	mark("runs");
	tact_compute(6 * TEST_MS);
	mark("late");
	expect_ok(sta_ovr(TSK_SELF, 5));
	WORKS(stp_ovr, stp_ovr(TSK_SELF));
	tact_compute(6 * TEST_MS);
	expect_ok(ref_ovr(TSK_SELF, &info));
	expect_eq(info.ovrstat, TOVR_STP);
}

TEST(overrun_handler_runs_when_the_limit_is_used_up)
{
	T_ROVR info;

	expect_ok(cre_tsk(1, &ctsk));
	FAILS(sta_ovr, E_OBJ, sta_ovr(1, 5));
	FAILS(stp_ovr, E_OBJ, stp_ovr(1));
	FAILS(ref_ovr, E_OBJ, ref_ovr(1, &info));
	FAILS(def_ovr, E_PAR, def_ovr((const T_DOVR *)(intptr_t)-1));
	dovr.ovrhdr = (FP)(void (*)(void))overrun;
	WORKS(def_ovr, def_ovr(&dovr));
	FAILS(sta_ovr, E_OBJ, sta_ovr(1, 5));
	FAILS(sta_ovr, E_PAR, sta_ovr(1, 0));
	start(3, 10, compute);
	until_dormant(3);
	expect_marks("runs overrun late");
	dovr.ovrhdr = NULL;
	FAILS(def_ovr, E_PAR, def_ovr(&dovr));
	expect_ok(def_ovr(NULL));
}
