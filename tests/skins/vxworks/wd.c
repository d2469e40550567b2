/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Watchdogs, and what their routines may do. */
#include "vx.h"

#include <msgQLib.h>
#include <semLib.h>
#include <tickLib.h>
#include <wdLib.h>

static WDOG_ID const no_watchdog = (WDOG_ID)(uintptr_t)12345;

static void barks(SEM_ID sem)
{
	mark(intContext() ? "handler" : "task");
	expect_eq(semGive(sem), OK);
}

TEST(routine_runs_once_as_a_handler_after_its_ticks)
{
	SEM_ID sem = semCCreate(SEM_Q_FIFO, 0);
	WDOG_ID watchdog = WORKS(wdCreate, wdCreate());
	ULONG begin = tickGet();

	(void)WORKS(wdStart, wdStart(watchdog, 10, (FUNCPTR)(uintptr_t)barks, (long)sem));
	(void)WORKS(wdShow, wdShow(watchdog));
	expect_eq(semTake(sem, WAIT_FOREVER), OK);
	expect_true(tickGet() - begin >= 10);
	expect_eq(semTake(sem, 20), ERROR);
	expect_marks("handler");
	(void)WORKS(wdDelete, wdDelete(watchdog));
	FAILS(wdDelete, S_objLib_OBJ_ID_ERROR, wdDelete(watchdog));
}

TEST(cancelled_watchdog_is_silent_and_restarted_one_begins_anew)
{
	SEM_ID sem = semCCreate(SEM_Q_FIFO, 0);
	WDOG_ID watchdog = wdCreate();

	(void)WORKS(wdStart, wdStart(watchdog, 2, (FUNCPTR)(uintptr_t)barks, (long)sem));
	(void)WORKS(wdCancel, wdCancel(watchdog));
	expect_eq(semTake(sem, 10), ERROR);
	(void)WORKS(wdStart, wdStart(watchdog, 1000, (FUNCPTR)(uintptr_t)barks, (long)sem));
	(void)WORKS(wdStart, wdStart(watchdog, 0, (FUNCPTR)(uintptr_t)barks, (long)sem));
	expect_eq(semTake(sem, 60), OK);
	expect_eq(semTake(sem, 10), ERROR);
}

TEST(wrong_watchdogs_are_refused)
{
	WDOG_ID watchdog = wdCreate();

	FAILS(wdDelete, S_objLib_OBJ_ID_ERROR, wdDelete(NULL));
	FAILS(wdStart, S_objLib_OBJ_ID_ERROR,
	      wdStart(no_watchdog, 1, (FUNCPTR)(uintptr_t)barks, 0));
	FAILS(wdStart, EINVAL, wdStart(watchdog, 1, NULL, 0));
	FAILS(wdCancel, S_objLib_OBJ_ID_ERROR, wdCancel(no_watchdog));
	FAILS(wdShow, S_objLib_OBJ_ID_ERROR, wdShow(no_watchdog));
}

static WDOG_ID own;
static SEM_ID done;
static int rounds;

/* Starts itself again, and deletes itself at last. */
static void again(long most)
{
	if (++rounds < most) {
		expect_eq(wdStart(own, 1, (FUNCPTR)(uintptr_t)again, most), OK);
		return;
	}
	expect_eq(wdDelete(own), OK);
	expect_eq(wdStart(own, 1, (FUNCPTR)(uintptr_t)again, most), ERROR);
	expect_eq(semGive(done), OK);
}

TEST(routine_restarts_and_deletes_its_own_watchdog)
{
	done = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	own = wdCreate();
	expect_eq(wdStart(own, 1, (FUNCPTR)(uintptr_t)again, 5), OK);
	expect_eq(semTake(done, WAIT_FOREVER), OK);
	expect_eq(rounds, 5);
	FAILS(wdCancel, S_objLib_OBJ_ID_ERROR, wdCancel(own));
}

static MSG_Q_ID queue;

static void calls(SEM_ID sem)
{
	expect_eq(semTake(sem, NO_WAIT), ERROR);
	expect_eq(msgQSend(queue, "ok", 3, NO_WAIT, MSG_PRI_NORMAL), OK);
	expect_eq(msgQSend(queue, "ok", 3, 1, MSG_PRI_NORMAL), ERROR);
	expect_eq(taskIdSelf(), 0);
	expect_eq(taskDelay(1), ERROR);
	expect_true(wdCreate() == NULL);
	mark("called");
}

TEST(routine_calls_what_handlers_may_call)
{
	WDOG_ID watchdog = wdCreate();
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_FULL);
	char got[4];

	queue = msgQCreate(2, 4, MSG_Q_FIFO);
	expect_eq(wdStart(watchdog, 1, (FUNCPTR)(uintptr_t)calls, (long)sem), OK);
	expect_eq(msgQReceive(queue, got, 4, WAIT_FOREVER), 3);
	settle();
	expect_marks("called");
	expect_eq(semTake(sem, NO_WAIT), OK);
}

static void handler(void *arg)
{
	FAILS(wdCreate, S_intLib_NOT_ISR_CALLABLE, wdCreate());
	FAILS(wdShow, S_intLib_NOT_ISR_CALLABLE, wdShow((WDOG_ID)arg));
}

TEST(handlers_create_no_watchdog)
{
	test_in_handler(handler, wdCreate());
}
