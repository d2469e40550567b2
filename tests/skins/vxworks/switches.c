/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Switches: hooks, task variables, and locks that keep handlers away. */
#include "vx.h"

#include <semLib.h>
#include <taskHookLib.h>
#include <taskVarLib.h>
#include <tickLib.h>
#include <wdLib.h>

static int switched(const WIND_TCB *former, const WIND_TCB *next)
{
	mark(former ? former->name : "none");
	mark(next->name);
	return 0;
}

static int other(SEM_ID sem)
{
	expect_eq(semTake(sem, WAIT_FOREVER), OK);
	return 0;
}

static int switches(SEM_ID sem)
{
	int tid = taskCreate("tOther", 50, 0, 0, (FUNCPTR)other, (long)sem, 0, 0, 0, 0, 0, 0, 0, 0,
			     0);

	(void)WORKS(taskSwitchHookAdd, taskSwitchHookAdd((FUNCPTR)switched));
	expect_eq(taskActivate(tid), OK);
	expect_eq(semGive(sem), OK);
	(void)WORKS(taskSwitchHookDelete, taskSwitchHookDelete((FUNCPTR)switched));
	FAILS(taskSwitchHookDelete, S_taskLib_TASK_HOOK_NOT_FOUND,
	      taskSwitchHookDelete((FUNCPTR)switched));
	FAILS(taskSwitchHookAdd, EINVAL, taskSwitchHookAdd(NULL));
	for (int n = 0; n < 16; n++)
		expect_eq(taskSwitchHookAdd((FUNCPTR)other), OK);
	FAILS(taskSwitchHookAdd, S_taskLib_TASK_HOOK_TABLE_FULL,
	      taskSwitchHookAdd((FUNCPTR)switched));
	for (int n = 0; n < 16; n++)
		expect_eq(taskSwitchHookDelete((FUNCPTR)other), OK);
	return 0;
}

TEST(hooks_see_both_tasks_of_a_switch)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);

	vx_until_ended(vx_spawn("tMe", 100, switches, (long)sem));
	/* The last one ends in between, so there is no former one. */
	expect_marks("tMe tOther tOther tMe tMe tOther none tMe");
}

static int variable = 5;
static SEM_ID turn;

static int counts(long own)
{
	(void)WORKS(taskVarAdd, taskVarAdd(0, &variable));
	expect_eq(taskVarAdd(0, &variable), OK);
	expect_eq(variable, 5);
	variable = (int)own;
	for (int n = 0; n < 3; n++) {
		expect_eq(taskDelay(1), OK);
		expect_eq(variable, own + n);
		variable++;
	}
	expect_eq(semTake(turn, WAIT_FOREVER), OK);
	(void)WORKS(taskVarDelete, taskVarDelete(0, &variable));
	expect_eq(variable, 5);
	mark("own");
	return 0;
}

static int looks(int tid)
{
	TASK_VAR list[2];

	expect_eq(WORKS(taskVarGet, taskVarGet(tid, &variable)), 103);
	(void)WORKS(taskVarSet, taskVarSet(tid, &variable, 77));
	expect_eq(taskVarGet(tid, &variable), 77);
	expect_eq(variable, 5);
	expect_eq(WORKS(taskVarInfo, taskVarInfo(tid, list, 2)), 1);
	expect_true(list[0].address == &variable && list[0].value == 77);
	FAILS(taskVarGet, S_taskLib_TASK_VAR_NOT_FOUND, taskVarGet(0, &variable));
	FAILS(taskVarSet, S_taskLib_TASK_VAR_NOT_FOUND, taskVarSet(0, &variable, 1));
	FAILS(taskVarDelete, S_taskLib_TASK_VAR_NOT_FOUND, taskVarDelete(0, &variable));
	FAILS(taskVarAdd, S_objLib_OBJ_ID_ERROR, taskVarAdd(12345, &variable));
	FAILS(taskVarAdd, EINVAL, taskVarAdd(0, NULL));
	FAILS(taskVarGet, S_objLib_OBJ_ID_ERROR, taskVarGet(12345, &variable));
	FAILS(taskVarSet, S_objLib_OBJ_ID_ERROR, taskVarSet(12345, &variable, 1));
	FAILS(taskVarDelete, S_objLib_OBJ_ID_ERROR, taskVarDelete(12345, &variable));
	FAILS(taskVarInfo, S_objLib_OBJ_ID_ERROR, taskVarInfo(12345, list, 2));
	mark("looked");
	return 0;
}

TEST(task_variables_differ_between_tasks)
{
	int first, second;

	(void)WORKS(taskVarInit, taskVarInit());
	turn = semCCreate(SEM_Q_FIFO, 0);
	first = vx_spawn("tFirst", 100, counts, 100);
	second = vx_spawn("tSecond", 100, counts, 200);
	vx_until_pended(first);
	vx_until_pended(second);
	vx_in_task(100, looks, first);
	expect_eq(semGive(turn), OK);
	expect_eq(semGive(turn), OK);
	vx_until_ended(first);
	vx_until_ended(second);
	expect_marks("looked own own");
}

static int barks(void)
{
	mark("barks");
	return 0;
}

static int locks(void)
{
	const int key = WORKS(intLock, intLock());
	const int inner = intLock();

	expect_eq(wdStart(wdCreate(), 1, barks, 0), OK);
	for (ULONG begin = tickGet(); tickGet() - begin < 3;)
		tact_compute(TEST_MS);
	mark("locked");
	(void)WORKS(intUnlock, (intUnlock(inner), 0));
	mark("still");
	intUnlock(key);
	mark("unlocked");
	expect_eq(WORKS(intLevelSet, intLevelSet(3)), 0);
	expect_eq(intLevelSet(1), 1);
	expect_eq(intLevelSet(0), 1);
	expect_eq(intLevelSet(0), 0);
	return 0;
}

/* At the limit of locks one more is none, and its key undoes none of the others. */
static int locks_to_the_limit(void)
{
	const int key = intLock();

	for (int i = 1; i < 300; i++)
		(void)intLock();
	expect_eq(wdStart(wdCreate(), 1, barks, 0), OK);
	for (ULONG begin = tickGet(); tickGet() - begin < 3;)
		tact_compute(TEST_MS);
	intUnlock(intLock());
	mark("locked");
	intUnlock(key);
	mark("unlocked");
	return 0;
}

TEST(locks_keep_handlers_away)
{
	vx_in_task(100, locks, 0);
	expect_marks("locked still barks unlocked");
	/* Nothing is locked in a plain thread. */
	intUnlock(intLock());
	intUnlock(-1);
}

TEST(key_at_the_limit_undoes_nothing)
{
	vx_in_task(100, locks_to_the_limit, 0);
	expect_marks("locked barks unlocked");
}

static void handler(void *arg)
{
	(void)arg;
	FAILS(taskSwitchHookAdd, S_intLib_NOT_ISR_CALLABLE, taskSwitchHookAdd((FUNCPTR)switched));
	FAILS(taskVarInit, S_intLib_NOT_ISR_CALLABLE, taskVarInit());
	FAILS(taskVarAdd, S_intLib_NOT_ISR_CALLABLE, taskVarAdd(1, &variable));
	expect_eq(intLock(), 0);
	intUnlock(0);
}

static int has_variable(SEM_ID sem)
{
	expect_eq(taskVarAdd(0, &variable), OK);
	expect_eq(semTake(sem, WAIT_FOREVER), OK);
	return 0;
}

static int tid_of_owner;

static void deletes(void *arg)
{
	(void)arg;
	FAILS(taskVarDelete, S_intLib_NOT_ISR_CALLABLE, taskVarDelete(tid_of_owner, &variable));
}

TEST(handlers_watch_nothing)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);

	test_in_handler(handler, NULL);
	tid_of_owner = vx_spawn("tOwner", 100, has_variable, (long)sem);
	vx_until_pended(tid_of_owner);
	test_in_handler(deletes, NULL);
	expect_eq(taskDelete(tid_of_owner), OK);
}
