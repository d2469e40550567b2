/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects and tasks of the tests: see uitron4_test.h. */
#include "uitron4_test.h"

#include <unistd.h>

#define WAITER 20

static void nothing(void)
{
}

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

void skin_before(void)
{
}

/* Calls that return an ID or a length succeed with it. */
long skin_code(long result)
{
	return result > 0 ? 0 : result;
}

static void made(ER code)
{
	expect_true(code == E_OK || code == E_OBJ);
}

static void keep_mutex(void)
{
	expect_ok(loc_mtx(1));
	(void)slp_tsk();
}

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

/* Wait until the task has one of these states, or does not exist. */
static void until_state(ID id, UINT states)
{
	T_RTSK info;

	for (int i = 0; i < 10000; i++) {
		if (ref_tsk(id, &info) || info.tskstat & states)
			return;
		if (tact_task_self().id)
			expect_ok(tact_task_sleep(100000));
		else
			usleep(1000);
	}
	test_fail(__FILE__, __LINE__, "task %d: expected a state of 0x%x, actual 0x%x", id, states,
		  info.tskstat);
}

void until_rests(ID id)
{
	until_state(id, TTS_WAI | TTS_SUS | TTS_DMT);
}

void until_dormant(ID id)
{
	until_state(id, TTS_DMT);
}

void start(ID id, PRI priority, void (*body)(void))
{
	T_CTSK packet = {TA_HLNG, 0, (FP)body, priority, 0, NULL};

	/* With another priority and body. */
	(void)del_tsk(id);
	expect_ok(cre_tsk(id, &packet));
	expect_ok(sta_tsk(id, 0));
	until_rests(id);
}

static void (*called)(void);
static bool ended;

static void call_once(void)
{
	called();
	ended = true;
}

static void begin(void (*body)(void))
{
	called = body;
	ended = false;
	start(WAITER, 5, call_once);
}

static void end(void)
{
	until_dormant(WAITER);
	expect_true(ended);
	expect_ok(del_tsk(WAITER));
}

void in_task(void (*body)(void))
{
	begin(body);
	end();
}

static void begin_waiting(void (*body)(void))
{
	begin(body);
	if (ended)
		test_fail(__FILE__, __LINE__, "the call did not wait");
}

void released(void (*body)(void))
{
	begin_waiting(body);
	WORKS(rel_wai, rel_wai(WAITER));
	end();
}

void deleted(void (*body)(void), ER (*del)(ID id), ID id)
{
	begin_waiting(body);
	expect_ok(del(id));
	end();
}
