/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packets and objects of the tests: see itron_test.h. */
#include "uitron4_test.h"

T_CTSK ctsk = {TA_HLNG, 0, (FP)nothing, 10, 0, NULL};
T_CSEM csem = {TA_TFIFO, 0, 100};
T_CFLG cflg = {TA_WMUL, 0};
T_CDTQ cdtq = {TA_TFIFO, 1, NULL};
T_CMBX cmbx = {TA_TFIFO, 0, NULL};
T_CMTX cmtx = {TA_INHERIT, 0};
T_CMBF cmbf = {TA_TFIFO, 8, 12, NULL};
T_CPOR cpor = {TA_TFIFO, 16, 16};
T_CMPL cmpl = {TA_TFIFO, 512, NULL};
T_CMPF cmpf = {TA_TFIFO, 1, 32, NULL};
T_CCYC ccyc = {TA_HLNG, 0, (FP)nothing, 1000, 1000};
T_CALM calm = {TA_HLNG, 0, (FP)nothing};
T_CISR cisr = {TA_HLNG, 0, 200, (FP)nothing};
T_DTEX dtex = {TA_HLNG, (FP)nothing};
T_DOVR dovr = {TA_HLNG, (FP)nothing};
T_DINH dinh = {TA_HLNG, (FP)nothing};
T_DSVC dsvc = {TA_HLNG, (FP)nothing};
T_DEXC dexc = {TA_HLNG, (FP)nothing};
T_MSG message;
char bytes[64];

/* Calls that return an ID or a length succeed with it. */
long skin_code(long result)
{
	return result > 0 ? 0 : result;
}

static void keep_mutex(void)
{
	expect_ok(loc_mtx(1));
	(void)slp_tsk();
}

/* The pools have calls of other names in µITRON 3.02. */
void set_up(void)
{
	VP block;

	made(cre_tsk(1, &ctsk));
	made(cre_sem(1, &csem));
	made(cre_flg(1, &cflg));
	made(cre_dtq(1, &cdtq));
	made(cre_dtq(2, &cdtq));
	made(cre_mbx(1, &cmbx));
	made(cre_mbf(1, &cmbf));
	made(cre_mbf(2, &cmbf));
	made(cre_por(1, &cpor));
	made(cre_mpl(1, &cmpl));
	made(cre_mpf(1, &cmpf));
	made(cre_cyc(1, &ccyc));
	made(cre_alm(1, &calm));
	made(cre_isr(1, &cisr));
	while (!psnd_dtq(2, 1))
		;
	while (!psnd_mbf(2, bytes, 8))
		;
	while (!pget_mpl(1, 64, &block))
		;
	while (!pget_mpf(1, &block))
		;
	if (cre_mtx(1, &cmtx) == E_OK) {
		(void)ter_tsk(50);
		start(50, 9, keep_mutex);
	}
}

ER task_state(ID id, struct task_state *state)
{
	T_RTSK info;
	ER code = ref_tsk(id, &info);

	if (!code)
		*state = (struct task_state){info.tskstat, info.tskpri};
	return code;
}
