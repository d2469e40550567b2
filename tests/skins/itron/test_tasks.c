/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of the tests: see itron_test.h. */
#include "itron_test.h"

#include <unistd.h>

#define WAITER 20

void nothing(void)
{
}

void skin_before(void)
{
}

void made(ER code)
{
	expect_true(code == E_OK || code == E_OBJ);
}

void use_up_memory(void)
{
	ID id = 1;

	while (!cre_sem(id, &csem))
		id++;
	id = 1;
	while (!cre_por(id, &cpor))
		id++;
}

/* Wait until the task has one of these states, or does not exist. */
static void until_state(ID id, UINT states)
{
	struct task_state now = {0};

	for (int i = 0; i < 10000; i++) {
		if (task_state(id, &now) || now.state & states)
			return;
		if (tact_task_self().id)
			expect_ok(tact_task_sleep(100000));
		else
			usleep(1000);
	}
	test_fail(__FILE__, __LINE__, "task %d: expected a state of 0x%x, actual 0x%x", id, states,
		  now.state);
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
	T_CTSK packet = {.tskatr = TA_HLNG, .task = (FP)body, .itskpri = priority};

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
