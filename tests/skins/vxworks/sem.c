/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: what each call returns, and who is served first. */
#include "skin_check.h"

#include <semLib.h>

#include "runtime/caller.h"

static SEM_ID const no_sem = (SEM_ID)(uintptr_t)12345;

static void priority_task(void *arg)
{
	SEM_ID sem = arg;

	mark("waits");
	(void)WORKS(semTake, semTake(sem, WAIT_FOREVER));
	mark("taken");
}

TEST(binary_semaphore_is_full_or_empty)
{
	SEM_ID sem = WORKS(semBCreate, semBCreate(SEM_Q_FIFO, SEM_FULL));

	(void)WORKS(semTake, semTake(sem, NO_WAIT));
	FAILS(semTake, S_objLib_OBJ_UNAVAILABLE, semTake(sem, NO_WAIT));
	FAILS(semTake, S_objLib_OBJ_TIMEOUT, semTake(sem, 1));
	(void)WORKS(semGive, semGive(sem));
	(void)WORKS(semGive, semGive(sem));
	(void)WORKS(semTake, semTake(sem, WAIT_FOREVER));
	FAILS(semTake, S_objLib_OBJ_UNAVAILABLE, semTake(sem, NO_WAIT));
	(void)WORKS(semDelete, semDelete(sem));
	FAILS(semTake, S_objLib_OBJ_ID_ERROR, semTake(sem, NO_WAIT));
}

TEST(counting_semaphore_counts)
{
	SEM_ID sem = WORKS(semCCreate, semCCreate(SEM_Q_PRIORITY, 1));

	(void)WORKS(semGive, semGive(sem));
	(void)WORKS(semTake, semTake(sem, NO_WAIT));
	(void)WORKS(semTake, semTake(sem, NO_WAIT));
	FAILS(semTake, S_objLib_OBJ_UNAVAILABLE, semTake(sem, NO_WAIT));
	(void)WORKS(semDelete, semDelete(sem));
}

TEST(wrong_arguments_are_refused)
{
	FAILS(semBCreate, S_semLib_INVALID_STATE, semBCreate(SEM_Q_FIFO, (SEM_B_STATE)2));
	FAILS(semBCreate, S_semLib_INVALID_OPTION, semBCreate(SEM_INVERSION_SAFE, SEM_FULL));
	FAILS(semCCreate, S_semLib_INVALID_OPTION, semCCreate(0x40, 0));
	FAILS(semCCreate, S_semLib_INVALID_STATE, semCCreate(SEM_Q_FIFO, -1));
	FAILS(semMCreate, S_semLib_INVALID_OPTION, semMCreate(0x40));
	FAILS(semMCreate, S_semLib_INVALID_QUEUE_TYPE, semMCreate(SEM_INVERSION_SAFE));
	FAILS(semTake, S_objLib_OBJ_ID_ERROR, semTake(NULL, NO_WAIT));
	FAILS(semGive, S_objLib_OBJ_ID_ERROR, semGive(no_sem));
	FAILS(semFlush, S_objLib_OBJ_ID_ERROR, semFlush(no_sem));
	FAILS(semDelete, S_objLib_OBJ_ID_ERROR, semDelete(NULL));
}

TASK_TEST(mutex_belongs_to_its_owner)
{
	SEM_ID sem = WORKS(semMCreate, semMCreate(SEM_Q_PRIORITY | SEM_INVERSION_SAFE));

	FAILS(semGive, S_semLib_INVALID_OPERATION, semGive(sem));
	(void)WORKS(semTake, semTake(sem, NO_WAIT));
	(void)WORKS(semTake, semTake(sem, NO_WAIT));
	(void)WORKS(semGive, semGive(sem));
	(void)WORKS(semGive, semGive(sem));
	FAILS(semGive, S_semLib_INVALID_OPERATION, semGive(sem));
	FAILS(semFlush, S_semLib_INVALID_OPERATION, semFlush(sem));
}

static void in_handler(void *arg)
{
	SEM_ID *sems = arg;

	expect_eq(semTake(sems[0], NO_WAIT), ERROR);
	expect_eq(semBCreate(SEM_Q_FIFO, SEM_FULL), NULL);
	expect_eq(semDelete(sems[0]), ERROR);
	expect_eq(semGive(sems[1]), ERROR);
	expect_eq(semGive(sems[0]), OK);
	expect_eq(semFlush(sems[0]), OK);
	mark("handler");
}

TEST(handler_gives_and_does_not_take)
{
	SEM_ID sems[] = {WORKS(semBCreate, semBCreate(SEM_Q_FIFO, SEM_EMPTY)),
			 WORKS(semMCreate, semMCreate(SEM_Q_FIFO))};

	test_in_handler(in_handler, sems);
	(void)WORKS(semTake, semTake(sems[0], NO_WAIT));
	expect_marks("handler");
}

/* A task that runs handlers has an errno, in which a test sees the code. */
static void as_server(void *arg)
{
	SEM_ID mutex = WORKS(semMCreate, semMCreate(SEM_Q_FIFO));

	(void)arg;
	runtime_runs_handlers(tact_task_self());
	FAILS(semBCreate, S_intLib_NOT_ISR_CALLABLE, semBCreate(SEM_Q_FIFO, SEM_FULL));
	FAILS(semCCreate, S_intLib_NOT_ISR_CALLABLE, semCCreate(SEM_Q_FIFO, 0));
	FAILS(semMCreate, S_intLib_NOT_ISR_CALLABLE, semMCreate(SEM_Q_FIFO));
	FAILS(semTake, S_intLib_NOT_ISR_CALLABLE, semTake(mutex, NO_WAIT));
	FAILS(semGive, S_intLib_NOT_ISR_CALLABLE, semGive(mutex));
	FAILS(semDelete, S_intLib_NOT_ISR_CALLABLE, semDelete(mutex));
}

TEST(handlers_are_refused_with_their_code)
{
	test_join(test_spawn(10, as_server, NULL));
}

TEST(flush_makes_all_ready)
{
	SEM_ID sem = WORKS(semBCreate, semBCreate(SEM_Q_PRIORITY, SEM_EMPTY));
	tact_task_t first = test_spawn(10, priority_task, sem);
	tact_task_t second = test_spawn(11, priority_task, sem);

	test_until_state(first, TACT_TASK_STATE_WAITING);
	test_until_state(second, TACT_TASK_STATE_WAITING);
	(void)WORKS(semFlush, semFlush(sem));
	test_join(first);
	test_join(second);
	expect_marks("waits waits taken taken");
	FAILS(semTake, S_objLib_OBJ_UNAVAILABLE, semTake(sem, NO_WAIT));
}

static void until_deleted(void *arg)
{
	SEM_ID sem = arg;

	FAILS(semTake, S_objLib_OBJ_DELETED, semTake(sem, WAIT_FOREVER));
	mark("deleted");
}

TEST(deletion_wakes_the_waiters)
{
	SEM_ID sem = WORKS(semBCreate, semBCreate(SEM_Q_FIFO, SEM_EMPTY));
	tact_task_t waiter = test_spawn(10, until_deleted, sem);

	test_until_state(waiter, TACT_TASK_STATE_WAITING);
	(void)WORKS(semDelete, semDelete(sem));
	test_join(waiter);
	expect_marks("deleted");
}
