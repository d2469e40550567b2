/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks: how they begin, priorities, sleeps and suspensions. */
#include "uitron_test.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void tell(INT stacd, VP exinf)
{
	char word[15];

	snprintf(word, sizeof(word), "%d:%s", stacd, (const char *)exinf);
	mark(word);
}

TEST(task_gets_its_code_and_lives_again)
{
	T_CTSK packet = {"a", TA_HLNG | TA_COP0, (FP)tell, 10, 128 * 1024};
	T_RTSK info;

	WORKS(cre_tsk, cre_tsk(3, &packet));
	WORKS(ref_tsk, ref_tsk(&info, 3));
	expect_eq(info.tskstat, TTS_DMT);
	expect_eq(info.tskpri, 10);
	expect_eq(info.itskpri, 10);
	expect_eq(info.stksz, 128 * 1024);
	expect_true(info.exinf == packet.exinf && info.task == packet.task);
	WORKS(sta_tsk, sta_tsk(3, 7));
	until_dormant(3);
	WORKS(sta_tsk, sta_tsk(3, 8));
	until_dormant(3);
	expect_marks("7:a 8:a");
	WORKS(del_tsk, del_tsk(3));
	FAILS(ref_tsk, E_NOEXS, ref_tsk(&info, 3));
	WORKS(cre_tsk, cre_tsk(3, &packet));
}

static void sleep_once(void)
{
	mark("sleeps");
	(void)slp_tsk();
	mark("woken");
}

TEST(dormant_task_has_no_state_to_change)
{
	INT count;

	expect_ok(cre_tsk(1, &ctsk));
	FAILS(can_wup, E_OBJ, can_wup(&count, 1));
}

static void refuse_itself(void)
{
	ID own;

	expect_ok(get_tid(&own));
	FAILS(ter_tsk, E_OBJ, ter_tsk(own));
	FAILS(rel_wai, E_OBJ, rel_wai(own));
	FAILS(sus_tsk, E_OBJ, sus_tsk(own));
	FAILS(rsm_tsk, E_OBJ, rsm_tsk(own));
	FAILS(frsm_tsk, E_OBJ, frsm_tsk(own));
	FAILS(wup_tsk, E_OBJ, wup_tsk(own));
	FAILS(del_tsk, E_OBJ, del_tsk(own));
	FAILS(shd_tsk, E_CTX, shd_tsk(9, &ctsk));
	mark("refused");
}

TEST(task_does_not_end_suspend_or_wake_itself)
{
	start(3, 10, refuse_itself);
	until_dormant(3);
	expect_marks("refused");
}

static void sleep_often(void)
{
	while (!tslp_tsk(TMO_POL))
		mark("unit");
	mark("empty");
	WORKS(slp_tsk, slp_tsk());
	mark("slept");
	expect_ok(slp_tsk());
}

TEST(wakeups_are_counted)
{
	INT count = 0;
	T_RTSK info;

	expect_ok(cre_tsk(1, &ctsk));
	start(3, 10, sleep_often);
	expect_ok(ref_tsk(&info, 3));
	expect_eq(info.tskstat, TTS_WAI);
	expect_eq(info.tskwait, TTW_SLP);
	expect_ok(sus_tsk(3));
	expect_ok(wup_tsk(3));
	expect_marks("empty");
	expect_ok(ref_tsk(&info, 3));
	expect_eq(info.tskstat, TTS_SUS);
	for (int i = 0; i < 3; i++)
		expect_ok(wup_tsk(3));
	WORKS(can_wup, can_wup(&count, 3));
	expect_eq(count, 3);
	for (int i = 0; i < 65535; i++)
		expect_ok(wup_tsk(3));
	FAILS(wup_tsk, E_QOVR, wup_tsk(3));
	expect_ok(ref_tsk(&info, 3));
	expect_eq(info.wupcnt, 65535);
	WORKS(rsm_tsk, rsm_tsk(3));
	until_dormant(3);
	expect_marks("empty slept");
}

static void compute(void)
{
	mark("runs");
}

TEST(suspensions_are_counted)
{
	T_RTSK info;

	start(3, 10, sleep_once);
	WORKS(sus_tsk, sus_tsk(3));
	WORKS(sus_tsk, sus_tsk(3));
	expect_ok(ref_tsk(&info, 3));
	expect_eq(info.tskstat, TTS_WAS);
	expect_eq(info.suscnt, 2);
	WORKS(rsm_tsk, rsm_tsk(3));
	expect_ok(wup_tsk(3));
	expect_marks("sleeps");
	WORKS(frsm_tsk, frsm_tsk(3));
	until_dormant(3);
	expect_marks("sleeps woken");
	start(3, 10, sleep_once);
	FAILS(rsm_tsk, E_OBJ, rsm_tsk(3));
	FAILS(frsm_tsk, E_OBJ, frsm_tsk(3));
	for (int i = 0; i < 65535; i++)
		expect_ok(sus_tsk(3));
	FAILS(sus_tsk, E_QOVR, sus_tsk(3));
}

static void change_and_start(void)
{
	expect_ok(sta_tsk(4, 0));
	mark("high");
	WORKS(chg_pri, chg_pri(TSK_SELF, 20));
	mark("low");
	expect_ok(chg_pri(TSK_SELF, TPRI_INI));
}

TEST(priority_decides_who_runs)
{
	T_CTSK packet = {NULL, TA_HLNG, (FP)compute, 15, 0};

	expect_ok(cre_tsk(4, &packet));
	start(3, 10, change_and_start);
	until_dormant(3);
	expect_marks("high runs low");
	FAILS(chg_pri, E_PAR, chg_pri(3, 256));
	FAILS(chg_pri, E_PAR, chg_pri(3, -1));
	FAILS(rot_rdq, E_PAR, rot_rdq(256));
}

static void pass_turn(void)
{
	mark("first");
	expect_ok(sta_tsk(4, 0));
	WORKS(rot_rdq, rot_rdq(TPRI_RUN));
	mark("third");
	expect_ok(sta_tsk(4, 0));
	WORKS(rot_rdq, rot_rdq(10));
	mark("fifth");
}

TEST(rotation_lets_the_next_task_run)
{
	T_CTSK packet = {NULL, TA_HLNG, (FP)compute, 10, 0};

	expect_ok(cre_tsk(4, &packet));
	start(3, 10, pass_turn);
	until_dormant(3);
	expect_marks("first runs third runs fifth");
}

static void disable_dispatch(void)
{
	T_RSYS state;

	WORKS(dis_dsp, dis_dsp());
	WORKS(dis_dsp, dis_dsp());
	expect_ok(ref_sys(&state));
	expect_eq(state.sysstat, TSS_DDSP);
	expect_ok(sta_tsk(4, 0));
	mark("alone");
	FAILS(slp_tsk, E_CTX, slp_tsk());
	FAILS(dly_tsk, E_CTX, dly_tsk(1));
	FAILS(wai_sem, E_CTX, wai_sem(1));
	FAILS(cal_por, E_CTX, cal_por(bytes, &(INT){0}, 1, 1, 8));
	FAILS(pcal_por, E_CTX, pcal_por(bytes, &(INT){0}, 1, 1, 8));
	FAILS(preq_sem, E_TMOUT, preq_sem(1));
	WORKS(ena_dsp, ena_dsp());
	mark("again");
	expect_ok(ref_sys(&state));
	expect_eq(state.sysstat, TSS_TSK);
	expect_eq(state.runtskid, 3);
}

TEST(task_is_alone_while_dispatching_is_disabled)
{
	T_CTSK packet = {NULL, TA_HLNG, (FP)compute, 5, 0};

	set_up();
	expect_ok(cre_tsk(4, &packet));
	start(3, 10, disable_dispatch);
	until_dormant(3);
	expect_marks("alone runs again");
	FAILS(dis_dsp, E_CTX, dis_dsp());
	FAILS(ena_dsp, E_CTX, ena_dsp());
}

static void suspend_locked(void)
{
	FAILS(sus_tsk, E_CTX, sus_tsk(3));
	mark("refused");
}

static void in_handler(void *unused)
{
	(void)unused;
	suspend_locked();
}

static void stay_locked(void)
{
	expect_ok(dis_dsp());
	test_in_handler(in_handler, NULL);
	expect_ok(ena_dsp());
}

TEST(locked_task_is_not_suspended)
{
	start(3, 10, stay_locked);
	until_dormant(3);
	expect_marks("refused");
}

static void delay(void)
{
	const uint64_t begin = tact_now().ns;

	WORKS(dly_tsk, dly_tsk(3));
	expect_true(tact_now().ns >= begin + 3000000);
	expect_error(tslp_tsk(2), -E_TMOUT);
	expect_true(tact_now().ns >= begin + 5000000);
	WORKS(dly_tsk, dly_tsk(0));
	FAILS(dly_tsk, E_PAR, dly_tsk(-1));
	expect_ok(wup_tsk(4));
	WORKS(tslp_tsk, tslp_tsk(LONG));
	mark("done");
}

static void wake_back(void)
{
	expect_ok(slp_tsk());
	expect_ok(wup_tsk(3));
}

TEST(delays_last_as_long_as_told)
{
	start(4, 20, wake_back);
	start(3, 10, delay);
	until_dormant(3);
	expect_marks("done");
	FAILS(dly_tsk, E_CTX, dly_tsk(1));
	FAILS(slp_tsk, E_CTX, slp_tsk());
}

TEST(terminated_task_leaves_its_wait)
{
	T_RSEM info;

	set_up();
	start(3, 10, sleep_once);
	expect_ok(sus_tsk(3));
	expect_ok(ter_tsk(3));
	expect_ok(ref_sem(&info, 1));
	expect_eq(info.wtsk, 0);
	expect_ok(sta_tsk(3, 0));
	until_rests(3);
	expect_ok(rel_wai(3));
	until_dormant(3);
	expect_marks("sleeps sleeps woken");
}

static void *become_task(void *unused)
{
	T_CTSK packet = {NULL, TA_HLNG, NULL, 10, 0};
	ID own = 0;

	(void)unused;
	WORKS(shd_tsk, shd_tsk(9, &packet));
	expect_ok(get_tid(&own));
	expect_eq(own, 9);
	expect_ok(slp_tsk());
	mark("woken");
	ext_tsk();
	return NULL;
}

TEST(linux_thread_becomes_a_task)
{
	T_CTSK bad = {NULL, TA_HLNG, NULL, 0, 0};
	pthread_t thread;
	T_RTSK info;

	expect_ok(cre_tsk(1, &ctsk));
	FAILS(shd_tsk, E_PAR, shd_tsk(9, NULL));
	FAILS(shd_tsk, E_PAR, shd_tsk(9, &bad));
	FAILS(shd_tsk, E_ID, shd_tsk(0, &ctsk));
	FAILS(shd_tsk, E_OBJ, shd_tsk(1, &ctsk));
	/* The simulation has one Linux thread. */
	if (test_on_sim())
		return;
	expect_ok(pthread_create(&thread, NULL, become_task, NULL));
	for (int i = 0; i < 10000 && (ref_tsk(&info, 9) || info.tskstat != TTS_WAI); i++)
		usleep(1000);
	expect_ok(wup_tsk(9));
	expect_ok(pthread_join(thread, NULL));
	expect_marks("woken");
	FAILS(ref_tsk, E_NOEXS, ref_tsk(&info, 9));
}
