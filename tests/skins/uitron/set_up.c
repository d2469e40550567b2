/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packets and objects of the tests: see itron_test.h. */
#include "uitron_test.h"

T_CTSK ctsk = {NULL, TA_HLNG, (FP)nothing, 10, 0};
T_CSEM csem = {NULL, TA_TFIFO, 0, 0};
T_CFLG cflg = {NULL, TA_WMUL, 0};
T_CMBX cmbx = {NULL, TA_TFIFO, 4};
T_CMBF cmbf = {NULL, TA_TFIFO, 12, 8};
T_CPOR cpor = {NULL, TA_NULL, 16, 16};
T_CMPL cmpl = {NULL, TA_TFIFO, 512};
T_CMPF cmpf = {NULL, TA_TFIFO, 1, 32};
T_DCYC dcyc = {NULL, TA_HLNG, (FP)nothing, TCY_OFF, 1000};
T_DALM dalm = {NULL, TA_HLNG, (FP)nothing, TTM_REL, LONG};
T_DINT dint = {TA_HLNG, (FP)nothing};
T_DSVC dsvc = {TA_HLNG, (FP)nothing};
T_DEXC dexc = {TA_HLNG, (FP)nothing};
T_MSG message = {1, {0}};
char bytes[64];

long skin_code(long result)
{
	return result;
}

void set_up(void)
{
	VP block;

	made(cre_tsk(1, &ctsk));
	made(cre_sem(1, &csem));
	made(cre_flg(1, &cflg));
	made(cre_mbx(1, &cmbx));
	made(cre_mbf(1, &cmbf));
	made(cre_mbf(2, &cmbf));
	made(cre_por(1, &cpor));
	made(cre_mpl(1, &cmpl));
	made(cre_mpf(1, &cmpf));
	while (!psnd_mbf(2, bytes, 8))
		;
	while (!pget_blk(&block, 1, 64))
		;
	while (!pget_blf(&block, 1))
		;
	expect_ok(def_cyc(1, &dcyc));
	expect_ok(def_alm(1, &dalm));
}

ER task_state(ID id, struct task_state *state)
{
	T_RTSK info;
	ER code = ref_tsk(&info, id);

	if (!code)
		*state = (struct task_state){info.tskstat, info.tskpri};
	return code;
}
