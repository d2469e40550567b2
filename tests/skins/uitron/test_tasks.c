/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects and tasks of the tests: see uitron_test.h. */
#include "uitron_test.h"

#include <unistd.h>

#define WAITER 20

static void nothing(void)
{
}

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

void skin_before(void)
{
}

long skin_code(long result)
{
	return result;
}

static void made(ER code)
{
	expect_true(code == E_OK || code == E_OBJ);
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

/* Wait until the task has one of these states, or does not exist. */
static void until_state(ID id, UINT states)
{
	T_RTSK info;

	for (int i = 0; i < 10000; i++) {
		if (ref_tsk(&info, id) || info.tskstat & states)
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
	T_CTSK packet = {NULL, TA_HLNG, (FP)body, priority, 0};

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
