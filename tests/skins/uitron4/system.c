/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times, handlers, interrupts, locks, and what the program defines. */
#include "uitron4_test.h"

static void cycle(VP_INT exinf)
{
	expect_eq(exinf, 9);
	expect_ok(isig_sem(1));
}

static void two_units(void)
{
	expect_ok(twai_sem(1, LONG));
	expect_ok(twai_sem(1, LONG));
}

TEST(cyclic_handler_runs_while_it_is_started)
{
	T_CCYC packet = {TA_HLNG, 9, (FP)cycle, 5, 3};
	T_RCYC info;
	ER_ID id;

	expect_ok(cre_sem(1, &csem));
	WORKS(cre_cyc, cre_cyc(3, &packet));
	WORKS(ref_cyc, ref_cyc(3, &info));
	expect_eq(info.cycstat, TCYC_STP);
	FAILS(twai_sem, E_TMOUT, twai_sem(1, 12));
	WORKS(sta_cyc, sta_cyc(3));
	in_task(two_units);
	WORKS(stp_cyc, stp_cyc(3));
	while (!pol_sem(1))
		;
	FAILS(twai_sem, E_TMOUT, twai_sem(1, 12));
	WORKS(del_cyc, del_cyc(3));
	packet.cycatr = TA_STA;
	id = WORKS(acre_cyc, acre_cyc(&packet));
	in_task(two_units);
	expect_ok(ref_cyc(id, &info));
	expect_eq(info.cycstat, TCYC_STA);
	expect_true(info.lefttim <= 5);
	expect_ok(del_cyc(id));
	/* The phase counts while the handler does not run. */
	packet.cycatr = TA_PHS;
	expect_ok(cre_cyc(3, &packet));
	expect_ok(ref_cyc(3, &info));
	expect_true(info.lefttim <= 3);
	expect_eq(info.cycstat, TCYC_STP);
	while (!pol_sem(1))
		;
	FAILS(twai_sem, E_TMOUT, twai_sem(1, 12));
	expect_ok(sta_cyc(3));
	in_task(two_units);
	expect_ok(stp_cyc(3));
	packet.cyctim = 0;
	FAILS(cre_cyc, E_PAR, cre_cyc(4, &packet));
}

TEST(alarm_handler_runs_once_for_each_start)
{
	T_CALM packet = {TA_HLNG, 9, (FP)cycle};
	T_RALM info;
	ER_ID id = WORKS(acre_alm, acre_alm(&packet));

	expect_eq(id, 1);
	expect_ok(cre_sem(1, &csem));
	WORKS(cre_alm, cre_alm(3, &packet));
	for (int i = 0; i < 2; i++) {
		WORKS(sta_alm, sta_alm(3, 3));
		WORKS(ref_alm, ref_alm(3, &info));
		expect_eq(info.almstat, TALM_STA);
		expect_true(info.lefttim <= 3);
		expect_ok(twai_sem(1, LONG));
		expect_ok(ref_alm(3, &info));
		expect_eq(info.almstat, TALM_STP);
	}
	expect_ok(sta_alm(3, 3));
	WORKS(stp_alm, stp_alm(3));
	FAILS(twai_sem, E_TMOUT, twai_sem(1, 12));
	WORKS(del_alm, del_alm(3));
	packet.almhdr = NULL;
	FAILS(cre_alm, E_PAR, cre_alm(3, &packet));
}

TEST(clock_can_be_set)
{
	SYSTIM now = 123456789012ull;

	WORKS(set_tim, set_tim(&now));
	now = 0;
	WORKS(get_tim, get_tim(&now));
	expect_true(now >= 123456789012ull && now < 123456790012ull);
	now = UINT64_MAX;
	FAILS(set_tim, E_PAR, set_tim(&now));
	FAILS(isig_tim, E_NOSPT, isig_tim());
}

static void interrupt(VP_INT inhno)
{
	expect_eq(inhno, 9);
	mark("interrupt");
	expect_true(sns_ctx() && sns_dpn() && !sns_loc());
	WORKS(iloc_cpu, iloc_cpu());
	WORKS(sns_loc, sns_loc());
	expect_true(sns_loc());
	FAILS(isig_sem, E_CTX, isig_sem(1));
	WORKS(iunl_cpu, iunl_cpu());
	expect_ok(isig_sem(1));
	WORKS(irot_rdq, irot_rdq(10));
	FAILS(irot_rdq, E_PAR, irot_rdq(TPRI_SELF));
}

static void raise_and_lock(void)
{
	T_RSYS info;
	ID own = 0;

	expect_ok(dis_int(9));
	WORKS(vras_int, vras_int(9));
	mark("disabled");
	WORKS(ena_int, ena_int(9));
	WORKS(loc_cpu, loc_cpu());
	WORKS(loc_cpu, loc_cpu());
	expect_true(sns_loc() && sns_dpn() && !sns_dsp() && !sns_ctx());
	expect_ok(vras_int(9));
	mark("locked");
	WORKS(unl_cpu, unl_cpu());
	mark("free");
	WORKS(dis_dsp, dis_dsp());
	WORKS(sns_dsp, sns_dsp());
	expect_true(sns_dsp() && sns_dpn());
	FAILS(slp_tsk, E_CTX, slp_tsk());
	FAILS(loc_mtx, E_CTX, loc_mtx(1));
	FAILS(cal_por, E_CTX, cal_por(1, 1, bytes, 8));
	expect_ok(loc_cpu());
	expect_ok(unl_cpu());
	expect_true(sns_dsp());
	WORKS(ref_sys, ref_sys(&info));
	expect_eq(info.runtskid, 3);
	expect_true(info.dsp && !info.loc && !info.ctx);
	WORKS(ena_dsp, ena_dsp());
	WORKS(sns_dpn, sns_dpn());
	expect_true(!sns_dpn());
	WORKS(get_tid, get_tid(&own));
	expect_eq(own, 3);
	WORKS(rot_rdq, rot_rdq(TPRI_SELF));
	WORKS(iget_tid, iget_tid(&own));
}

TEST(interrupts_wait_while_they_are_disabled)
{
	T_DINH packet = {TA_HLNG, (FP)interrupt};

	set_up();
	FAILS(vras_int, E_NOEXS, vras_int(9));
	WORKS(def_inh, def_inh(9, &packet));
	cisr.intno = 9;
	FAILS(cre_isr, E_OBJ, cre_isr(3, &cisr));
	FAILS(acre_isr, E_OBJ, acre_isr(&cisr));
	WORKS(dis_int, dis_int(9));
	start(3, 10, raise_and_lock);
	until_dormant(3);
	expect_marks("disabled interrupt locked interrupt free");
	expect_ok(def_inh(9, NULL));
	FAILS(vras_int, E_NOEXS, vras_int(9));
	FAILS(vras_int, E_PAR, vras_int(256));
	FAILS(dis_int, E_PAR, dis_int(256));
	FAILS(ena_int, E_PAR, ena_int(256));
	FAILS(def_inh, E_PAR, def_inh(256, &packet));
	FAILS(loc_cpu, E_CTX, loc_cpu());
	FAILS(unl_cpu, E_CTX, unl_cpu());
	FAILS(iloc_cpu, E_CTX, iloc_cpu());
	FAILS(iunl_cpu, E_CTX, iunl_cpu());
	FAILS(rot_rdq, E_PAR, rot_rdq(256));
	FAILS(irot_rdq, E_PAR, irot_rdq(256));
}

static void routine(VP_INT name)
{
	mark((const char *)name);
	expect_ok(isig_sem(1));
}

TEST(service_routines_share_an_interrupt)
{
	T_CISR first = {TA_HLNG, (VP_INT) "first", 9, (FP)routine};
	T_CISR second = {TA_HLNG, (VP_INT) "second", 9, (FP)routine};
	T_RISR info;
	ER_ID id;

	expect_ok(cre_sem(1, &csem));
	WORKS(cre_isr, cre_isr(3, &first));
	id = WORKS(acre_isr, acre_isr(&second));
	WORKS(ref_isr, ref_isr(id, &info));
	expect_eq(info.intno, 9);
	FAILS(def_inh, E_OBJ, def_inh(9, &dinh));
	expect_ok(vras_int(9));
	in_task(two_units);
	WORKS(del_isr, del_isr(3));
	expect_ok(vras_int(9));
	expect_ok(twai_sem(1, LONG));
	expect_marks("first second second");
	expect_ok(del_isr(id));
	FAILS(vras_int, E_NOEXS, vras_int(9));
	first.intno = 256;
	FAILS(cre_isr, E_PAR, cre_isr(3, &first));
}

TEST(configuration_is_told)
{
	T_RCFG configuration;
	T_RVER version;

	WORKS(ref_cfg, ref_cfg(&configuration));
	expect_eq(configuration.maxid, 32767);
	WORKS(ref_ver, ref_ver(&version));
	expect_eq(version.spver, TKERNEL_SPVER);
}

static ER make_nothing(void)
{
	return E_PAR;
}

static void start_again(void)
{
	FAILS(vsta_knl, E_CTX, vsta_knl());
}

static ER made_task(void)
{
	T_CTSK packet = {TA_ACT, 0, (FP)exd_tsk, 10, 0, NULL};
	ER code = cre_tsk(3, &packet);

	mark("made");
	return code;
}

TEST_UNSTARTED(kernel_starts_with_its_configuration)
{
	FAILS(vsta_knl, E_NOEXS, vsta_knl());
	FAILS(vdef_cfg, E_PAR, vdef_cfg(NULL));
	WORKS(vdef_cfg, vdef_cfg(make_nothing));
	FAILS(vsta_knl, E_PAR, vsta_knl());
	in_task(start_again);
}

TEST_UNSTARTED(kernel_stays_while_there_are_tasks)
{
	expect_ok(vdef_cfg(made_task));
	WORKS(vsta_knl, vsta_knl());
	expect_marks("made");
}
