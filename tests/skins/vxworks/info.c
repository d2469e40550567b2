/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be known of tasks, and hooks. */
#include "vx.h"

#include <semLib.h>
#include <shellLib.h>
#include <taskHookLib.h>
#include <taskShow.h>

static int waits(SEM_ID sem)
{
	(void)semTake(sem, WAIT_FOREVER);
	return 0;
}

static int delays(void)
{
	(void)taskDelay(100000);
	return 0;
}

static int spins(int *stop)
{
	while (!*(volatile int *)stop)
		tact_compute(TEST_MS);
	return 0;
}

static int sees_states(void)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	int pended = vx_spawn("tPended", 50, waits, (long)sem);
	int delayed = vx_spawn("tDelayed", 50, delays, 0);
	int stop = 0;
	int ready = vx_spawn("tReady", 200, spins, (long)&stop);
	TASK_DESC task;

	while (!taskIsPended(pended) || !taskIsDelayed(delayed))
		(void)taskDelay(1);
	(void)WORKS(taskIsPended, taskIsPended(pended));
	(void)WORKS(taskIsDelayed, taskIsDelayed(delayed));
	expect_true(WORKS(taskIsReady, taskIsReady(ready)));
	expect_true(!WORKS(taskIsSuspended, taskIsSuspended(ready)));
	(void)WORKS(taskInfoGet, taskInfoGet(pended, &task));
	expect_str(task.td_name, "tPended");
	expect_eq(task.td_priority, 50);
	expect_eq(task.td_status, WIND_PEND);
	(void)WORKS(taskGetInfo, taskGetInfo(0, &task));
	expect_eq(task.td_id, taskIdSelf());
	(void)WORKS(taskShow, taskShow(0, 1));
	(void)WORKS(i, (i(0), 0));
	(void)WORKS(ti, (ti(0), 0));
	stop = 1;
	expect_eq(taskDelete(pended), OK);
	expect_eq(taskDelete(delayed), OK);
	mark("states");
	return 0;
}

TEST(states_are_told)
{
	vx_in_task(100, sees_states, 0);
	expect_marks("states");
}

TEST(names_options_and_spare_words)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	int tid = vx_spawn("tWords", 50, waits, (long)sem);
	int ids[8];
	int number = 0;

	expect_str(WORKS(taskName, taskName(tid)), "tWords");
	expect_eq(WORKS(taskNameToId, taskNameToId("tWords")), tid);
	FAILS(taskNameToId, S_taskLib_NAME_NOT_FOUND, taskNameToId("tNone"));
	FAILS(taskNameToId, S_taskLib_NAME_NOT_FOUND, taskNameToId(NULL));
	FAILS(taskName, S_objLib_OBJ_ID_ERROR, taskName(12345));
	/* Outside of a task there is none that 0 stands for. */
	FAILS(taskName, S_objLib_OBJ_ID_ERROR, taskName(0));
	(void)WORKS(taskOptionsGet, taskOptionsGet(tid, &number));
	expect_eq(number, VX_FP_TASK);
	(void)WORKS(taskOptionsSet, taskOptionsSet(tid, 0, VX_UNBREAKABLE));
	expect_eq(taskOptionsGet(tid, &number), OK);
	expect_eq(number, VX_FP_TASK | VX_UNBREAKABLE);
	FAILS(taskOptionsSet, EINVAL, taskOptionsSet(tid, VX_FP_TASK, 0));
	FAILS(taskOptionsSet, S_objLib_OBJ_ID_ERROR, taskOptionsSet(12345, 0, 0));
	FAILS(taskOptionsGet, S_objLib_OBJ_ID_ERROR, taskOptionsGet(12345, &number));
	expect_eq(WORKS(taskIdListGet, taskIdListGet(ids, 8)), 1);
	expect_eq(ids[0], tid);
	expect_eq(WORKS(taskIdDefault, taskIdDefault(tid)), tid);
	expect_eq(taskIdDefault(0), tid);
	(void)WORKS(taskSpareNumAllot, taskSpareNumAllot(tid, &number));
	expect_eq(number, 1);
	(void)WORKS(taskSpareFieldSet, taskSpareFieldSet(tid, number, 77));
	expect_eq(WORKS(taskSpareFieldGet, taskSpareFieldGet(tid, number)), 77);
	expect_eq(taskTcb(tid)->spare1, 77);
	FAILS(taskSpareNumAllot, S_objLib_OBJ_ID_ERROR, taskSpareNumAllot(12345, &number));
	FAILS(taskSpareNumAllot, EINVAL, taskSpareNumAllot(tid, NULL));
	FAILS(taskSpareFieldGet, EINVAL, taskSpareFieldGet(tid, 5));
	FAILS(taskSpareFieldSet, EINVAL, taskSpareFieldSet(tid, 0, 1));
	FAILS(taskSpareFieldGet, S_objLib_OBJ_ID_ERROR, taskSpareFieldGet(12345, 1));
	FAILS(taskSpareFieldSet, S_objLib_OBJ_ID_ERROR, taskSpareFieldSet(12345, 1, 1));
	for (int n = 0; n < 3; n++)
		expect_eq(taskSpareNumAllot(tid, &number), OK);
	FAILS(taskSpareNumAllot, EINVAL, taskSpareNumAllot(tid, &number));
	FAILS(taskInfoGet, EINVAL, taskInfoGet(tid, NULL));
	FAILS(taskInfoGet, S_objLib_OBJ_ID_ERROR, taskInfoGet(12345, NULL));
	FAILS(taskGetInfo, EINVAL, taskGetInfo(tid, NULL));
	FAILS(taskGetInfo, S_objLib_OBJ_ID_ERROR, taskGetInfo(12345, NULL));
	FAILS(taskShow, S_objLib_OBJ_ID_ERROR, taskShow(12345, 0));
	expect_true(!taskIsReady(12345) && !taskIsSuspended(12345));
	expect_eq(taskDelete(tid), OK);
}

TEST(names_need_not_be_unique)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	int first = vx_spawn("tSame", 50, waits, (long)sem);
	int second = vx_spawn("tSame", 50, waits, (long)sem);

	expect_eq(taskNameToId("tSame"), first);
	expect_str(taskName(second), "tSame");
	expect_eq(taskDelete(first), OK);
	expect_eq(taskNameToId("tSame"), second);
	expect_eq(taskDelete(second), OK);
}

static int created(WIND_TCB *tcb)
{
	mark(tcb->name);
	return 0;
}

static int first_deleted(WIND_TCB *tcb)
{
	(void)tcb;
	mark("first");
	return 0;
}

static int last_deleted(WIND_TCB *tcb)
{
	expect_eq(tcb->exitCode, 7);
	mark("last");
	return 0;
}

static int returns(void)
{
	mark("runs");
	return 7;
}

TEST(hooks_run_in_their_order)
{
	(void)WORKS(taskHookInit, (taskHookInit(), 0));
	(void)WORKS(taskCreateHookAdd, taskCreateHookAdd(created));
	(void)WORKS(taskDeleteHookAdd, taskDeleteHookAdd(first_deleted));
	(void)WORKS(taskDeleteHookAdd, taskDeleteHookAdd(last_deleted));
	vx_in_task(50, returns, 0);
	expect_marks("t1 runs last first");
	(void)WORKS(taskDeleteHookDelete, taskDeleteHookDelete(first_deleted));
	FAILS(taskDeleteHookDelete, S_taskLib_TASK_HOOK_NOT_FOUND,
	      taskDeleteHookDelete(first_deleted));
	(void)WORKS(taskCreateHookDelete, taskCreateHookDelete(created));
	FAILS(taskCreateHookDelete, S_taskLib_TASK_HOOK_NOT_FOUND, taskCreateHookDelete(created));
	vx_in_task(50, returns, 0);
	expect_marks("t1 runs last first runs last");
	FAILS(taskCreateHookAdd, EINVAL, taskCreateHookAdd(NULL));
	FAILS(taskDeleteHookAdd, EINVAL, taskDeleteHookAdd(NULL));
	for (int n = 0; n < 16; n++)
		expect_eq(taskCreateHookAdd(created), OK);
	FAILS(taskCreateHookAdd, S_taskLib_TASK_HOOK_TABLE_FULL, taskCreateHookAdd(created));
	for (int n = 1; n < 16; n++)
		expect_eq(taskDeleteHookAdd(last_deleted), OK);
	FAILS(taskDeleteHookAdd, S_taskLib_TASK_HOOK_TABLE_FULL, taskDeleteHookAdd(last_deleted));
}

static void handler(void *arg)
{
	TASK_DESC task;

	(void)arg;
	FAILS(taskInfoGet, S_intLib_NOT_ISR_CALLABLE, taskInfoGet(1, &task));
	FAILS(taskGetInfo, S_intLib_NOT_ISR_CALLABLE, taskGetInfo(1, &task));
	FAILS(taskShow, S_intLib_NOT_ISR_CALLABLE, taskShow(0, 0));
	expect_eq(WORKS(intContext, intContext()), TRUE);
	expect_eq(WORKS(intCount, intCount()), 1);
}

TEST(handlers_do_not_print)
{
	test_in_handler(handler, NULL);
	expect_eq(intContext(), FALSE);
	expect_eq(intCount(), 0);
}

/* What it does is in tests/python/test_vx_shell.py. */
TEST(shell_is_started_once_where_linux_can_wait)
{
	if (test_on_sim()) {
		FAILS(shellInit, ENOTSUP, shellInit(0, 0));
		return;
	}
	(void)WORKS(shellInit, shellInit(0, 0));
	FAILS(shellInit, EALREADY, shellInit(0, 0));
}
