/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events of tasks, and objects that send them. */
#include "vx.h"

#include <eventLib.h>
#include <msgQEvLib.h>
#include <semEvLib.h>

static int receives(void)
{
	UINT32 got = 0;

	FAILS(eventReceive, S_eventLib_NOT_ALL_EVENTS, eventReceive(1, 0, NO_WAIT, &got));
	FAILS(eventReceive, S_eventLib_TIMEOUT, eventReceive(1, EVENTS_WAIT_ANY, 1, &got));
	FAILS(eventReceive, S_eventLib_ZERO_EVENTS, eventReceive(0, EVENTS_WAIT_ANY, 1, &got));
	FAILS(eventReceive, EINVAL, eventReceive(1, 0x10, NO_WAIT, &got));
	(void)WORKS(eventSend, eventSend(0, VXEV01 | VXEV03));
	FAILS(eventReceive, S_eventLib_NOT_ALL_EVENTS,
	      eventReceive(VXEV01 | VXEV02, EVENTS_WAIT_ALL, NO_WAIT, &got));
	expect_eq(got, VXEV01);
	(void)WORKS(eventReceive, eventReceive(0, EVENTS_FETCH, NO_WAIT, &got));
	expect_eq(got, VXEV01 | VXEV03);
	(void)WORKS(eventReceive, eventReceive(VXEV01, EVENTS_WAIT_ANY | EVENTS_KEEP_UNWANTED,
					       WAIT_FOREVER, &got));
	expect_eq(got, VXEV01);
	(void)WORKS(eventReceive, eventReceive(VXEV03, EVENTS_WAIT_ALL, NO_WAIT, NULL));
	expect_eq(eventSend(taskIdSelf(), VXEV01 | VXEV02), OK);
	(void)WORKS(eventReceive,
		    eventReceive(VXEV01, EVENTS_WAIT_ANY | EVENTS_RETURN_ALL, NO_WAIT, &got));
	expect_eq(got, VXEV01 | VXEV02);
	/* The unwanted ones are gone. */
	expect_eq(eventReceive(VXEV02, EVENTS_WAIT_ANY, NO_WAIT, NULL), ERROR);
	expect_eq(eventSend(0, VXEV05), OK);
	(void)WORKS(eventClear, eventClear());
	expect_eq(eventReceive(VXEV05, EVENTS_WAIT_ANY, NO_WAIT, NULL), ERROR);
	mark("done");
	return 0;
}

TEST(task_receives_what_it_wants)
{
	vx_in_task(100, receives, 0);
	expect_marks("done");
}

static int waits(long events)
{
	UINT32 got = 0;

	(void)WORKS(eventReceive,
		    eventReceive((UINT32)events, EVENTS_WAIT_ALL, WAIT_FOREVER, &got));
	expect_eq(got, events);
	mark("all");
	return 0;
}

TEST(events_of_others_end_the_wait)
{
	int tid = vx_spawn("tWaits", 50, waits, VXEV01 | VXEV24);

	vx_until_pended(tid);
	(void)WORKS(eventSend, eventSend(tid, VXEV24));
	settle();
	expect_marks("");
	(void)WORKS(eventSend, eventSend(tid, VXEV01));
	settle();
	expect_marks("all");
	FAILS(eventSend, S_objLib_OBJ_ID_ERROR, eventSend(12345, VXEV01));
	tid = vx_spawn("tWaits", 50, waits, VXEV01);
	FAILS(eventSend, S_eventLib_ZERO_EVENTS, eventSend(tid, 0));
}

static void outside(void *arg)
{
	(void)arg;
	FAILS(eventReceive, S_objLib_OBJ_NO_METHOD, eventReceive(1, 0, NO_WAIT, NULL));
	FAILS(eventClear, S_objLib_OBJ_NO_METHOD, eventClear());
	FAILS(semEvStart, S_objLib_OBJ_NO_METHOD, semEvStart(semBCreate(0, SEM_FULL), 1, 0));
	FAILS(msgQEvStart, S_objLib_OBJ_NO_METHOD, msgQEvStart(msgQCreate(1, 4, 0), 1, 0));
}

TEST(events_belong_to_tasks)
{
	outside(NULL);
}

static SEM_ID sem;
static MSG_Q_ID queue;

static int registers(void)
{
	UINT32 got;

	FAILS(semEvStart, S_objLib_OBJ_ID_ERROR, semEvStart(NULL, 1, 0));
	FAILS(semEvStart, S_eventLib_ZERO_EVENTS, semEvStart(sem, 0, 0));
	FAILS(semEvStop, S_objLib_OBJ_ID_ERROR, semEvStop(NULL));
	FAILS(semEvStop, S_eventLib_TASK_NOT_REGISTERED, semEvStop(sem));
	FAILS(msgQEvStart, S_objLib_OBJ_ID_ERROR, msgQEvStart(NULL, 1, 0));
	FAILS(msgQEvStart, S_eventLib_ZERO_EVENTS, msgQEvStart(queue, 0, 0));
	FAILS(msgQEvStop, S_objLib_OBJ_ID_ERROR, msgQEvStop(NULL));
	FAILS(msgQEvStop, S_eventLib_TASK_NOT_REGISTERED, msgQEvStop(queue));
	(void)WORKS(semEvStart, semEvStart(sem, VXEV01, EVENTS_SEND_ONCE));
	(void)WORKS(msgQEvStart, msgQEvStart(queue, VXEV02, 0));
	mark("registered");
	expect_eq(eventReceive(VXEV01 | VXEV02, EVENTS_WAIT_ALL, WAIT_FOREVER, &got), OK);
	mark("both");
	/* The semaphore sends once only. */
	expect_eq(eventReceive(VXEV01, EVENTS_WAIT_ANY, 10, &got), ERROR);
	FAILS(semEvStop, S_eventLib_TASK_NOT_REGISTERED, semEvStop(sem));
	(void)WORKS(semEvStart, semEvStart(sem, VXEV03, EVENTS_SEND_IF_FREE));
	expect_eq(eventReceive(VXEV03, EVENTS_WAIT_ANY, NO_WAIT, &got), OK);
	(void)WORKS(semEvStop, semEvStop(sem));
	(void)WORKS(msgQEvStop, msgQEvStop(queue));
	return 0;
}

TEST(objects_send_events_when_they_become_free)
{
	int tid;

	sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	queue = msgQCreate(4, 4, MSG_Q_FIFO);
	tid = vx_spawn("tRegisters", 50, registers, 0);
	vx_until_pended(tid);
	expect_eq(semGive(sem), OK);
	expect_eq(msgQSend(queue, "x", 1, NO_WAIT, 0), OK);
	settle();
	expect_eq(semGive(sem), OK);
	vx_until_ended(tid);
	expect_marks("registered both");
}

static int holds_registration(long until)
{
	expect_eq(semEvStart(sem, VXEV01, 0), OK);
	expect_eq(msgQEvStart(queue, VXEV01, 0), OK);
	(void)semTake((SEM_ID)until, WAIT_FOREVER);
	return 0;
}

static int comes_second(void)
{
	FAILS(semEvStart, S_eventLib_ALREADY_REGISTERED, semEvStart(sem, VXEV01, 0));
	FAILS(msgQEvStart, S_eventLib_ALREADY_REGISTERED, msgQEvStart(queue, VXEV01, 0));
	mark("second");
	return 0;
}

TEST(one_task_is_registered_until_it_ends)
{
	SEM_ID until = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	int tid;

	sem = semBCreate(SEM_EVENTSEND_ERR_NOTIFY, SEM_EMPTY);
	queue = msgQCreate(4, 4, MSG_Q_EVENTSEND_ERR_NOTIFY);
	tid = vx_spawn("tHolds", 50, holds_registration, (long)until);
	vx_until_pended(tid);
	vx_in_task(60, comes_second, 0);
	expect_eq(taskDelete(tid), OK);
	FAILS(semGive, S_eventLib_EVENTSEND_FAILED, semGive(sem));
	FAILS(msgQSend, S_eventLib_EVENTSEND_FAILED, msgQSend(queue, "x", 1, NO_WAIT, 0));
	/* It is registered no more. */
	(void)WORKS(semGive, semGive(sem));
	expect_marks("second");
}

static void handler(void *arg)
{
	(void)arg;
	FAILS(eventReceive, S_intLib_NOT_ISR_CALLABLE, eventReceive(1, 0, NO_WAIT, NULL));
	FAILS(eventClear, S_intLib_NOT_ISR_CALLABLE, eventClear());
	FAILS(eventSend, S_eventLib_NULL_TASKID_AT_INT_LEVEL, eventSend(0, 1));
	FAILS(semEvStart, S_intLib_NOT_ISR_CALLABLE, semEvStart(sem, 1, 0));
	FAILS(semEvStop, S_intLib_NOT_ISR_CALLABLE, semEvStop(sem));
	FAILS(msgQEvStart, S_intLib_NOT_ISR_CALLABLE, msgQEvStart(queue, 1, 0));
	FAILS(msgQEvStop, S_intLib_NOT_ISR_CALLABLE, msgQEvStop(queue));
}

TEST(handlers_send_and_do_not_receive)
{
	sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	queue = msgQCreate(4, 4, MSG_Q_FIFO);
	test_in_handler(handler, NULL);
}
