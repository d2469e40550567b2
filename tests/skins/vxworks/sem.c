/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: what each call returns, and who is served first. */
#include "vx.h"

#include <intLib.h>
#include <semLib.h>
#include <tickLib.h>

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
	VX_BINARY_SEMAPHORE(words);
	char *memory = (char *)words;

	FAILS(semBCreate, S_semLib_INVALID_STATE, semBCreate(SEM_Q_FIFO, (SEM_B_STATE)2));
	FAILS(semBCreate, S_semLib_INVALID_OPTION, semBCreate(SEM_INVERSION_SAFE, SEM_FULL));
	FAILS(semCCreate, S_semLib_INVALID_OPTION, semCCreate(0x40, 0));
	FAILS(semCCreate, S_semLib_INVALID_INITIAL_COUNT, semCCreate(SEM_Q_FIFO, -1));
	FAILS(semBInitialize, EINVAL, semBInitialize(NULL, SEM_Q_FIFO, SEM_FULL));
	FAILS(semCInitialize, EINVAL, semCInitialize(NULL, SEM_Q_FIFO, 0));
	FAILS(semMInitialize, EINVAL, semMInitialize(NULL, SEM_Q_FIFO));
	FAILS(semBInitialize, S_semLib_INVALID_STATE, semBInitialize(memory, 0, (SEM_B_STATE)2));
	FAILS(semBInitialize, S_semLib_INVALID_OPTION, semBInitialize(memory, 0x40, SEM_FULL));
	FAILS(semCInitialize, S_semLib_INVALID_OPTION, semCInitialize(memory, 0x40, 0));
	FAILS(semCInitialize, S_semLib_INVALID_INITIAL_COUNT, semCInitialize(memory, 0, -1));
	FAILS(semMInitialize, S_semLib_INVALID_OPTION, semMInitialize(memory, 0x40));
	FAILS(semMInitialize, S_semLib_INVALID_QUEUE_TYPE,
	      semMInitialize(memory, SEM_INVERSION_SAFE));
	FAILS(semMCreate, S_semLib_INVALID_OPTION, semMCreate(0x40));
	FAILS(semMCreate, S_semLib_INVALID_QUEUE_TYPE, semMCreate(SEM_INVERSION_SAFE));
	FAILS(semTake, S_objLib_OBJ_ID_ERROR, semTake(NULL, NO_WAIT));
	FAILS(semGive, S_objLib_OBJ_ID_ERROR, semGive(no_sem));
	FAILS(semFlush, S_objLib_OBJ_ID_ERROR, semFlush(no_sem));
	FAILS(semDelete, S_objLib_OBJ_ID_ERROR, semDelete(NULL));
	FAILS(semClear, S_objLib_OBJ_ID_ERROR, semClear(no_sem));
	FAILS(semShow, S_objLib_OBJ_ID_ERROR, semShow(no_sem, 0));
	FAILS(semInfo, S_objLib_OBJ_ID_ERROR, semInfo(no_sem, NULL, 0));
}

TEST(semaphores_in_memory_of_the_program)
{
	VX_COUNTING_SEMAPHORE(words);
	SEM_ID binary = WORKS(semBInitialize, semBInitialize((char *)words, 0, SEM_FULL));
	SEM_ID counting = WORKS(semCInitialize, semCInitialize((char *)words, 0, 2));
	SEM_ID mutex = WORKS(semMInitialize, semMInitialize((char *)words, SEM_Q_PRIORITY));
	SEM_ID old = WORKS(semCreate, semCreate());

	(void)WORKS(semClear, semClear(binary));
	(void)WORKS(semTake, semTake(counting, NO_WAIT));
	FAILS(semClear, S_objLib_OBJ_UNAVAILABLE, semClear(old));
	(void)WORKS(semShow, semShow(mutex, 1));
	(void)WORKS(semShow, semShow(binary, 0));
}

TEST(full_count_overflows)
{
	SEM_ID sem = WORKS(semCCreate, semCCreate(SEM_Q_FIFO, 2147483647));

	FAILS(semGive, S_semLib_COUNT_OVERFLOW, semGive(sem));
}

static void take_in_turn(void *arg)
{
	(void)WORKS(semTake, semTake(*(SEM_ID *)arg, WAIT_FOREVER));
	mark("low");
}

static void take_first(void *arg)
{
	(void)WORKS(semTake, semTake(*(SEM_ID *)arg, WAIT_FOREVER));
	mark("high");
}

static void serve_two(int options, const char *order)
{
	SEM_ID sem = WORKS(semBCreate, semBCreate(options, SEM_EMPTY));
	tact_task_t low = test_spawn(10, take_in_turn, &sem);
	tact_task_t high;

	test_until_state(low, TACT_TASK_STATE_WAITING);
	high = test_spawn(20, take_first, &sem);
	test_until_state(high, TACT_TASK_STATE_WAITING);
	(void)WORKS(semGive, semGive(sem));
	settle();
	(void)WORKS(semGive, semGive(sem));
	test_join(low);
	test_join(high);
	expect_marks(order);
}

TEST(fifo_serves_the_first_to_come)
{
	serve_two(SEM_Q_FIFO, "low high");
}

TEST(priority_serves_the_most_urgent)
{
	serve_two(SEM_Q_PRIORITY, "high low");
}

TEST(timeouts_end_with_ticks)
{
	SEM_ID sem = WORKS(semBCreate, semBCreate(SEM_Q_FIFO, SEM_EMPTY));
	ULONG begin;

	begin = tickGet();
	FAILS(semTake, S_objLib_OBJ_TIMEOUT, semTake(sem, 30));
	expect_true(tickGet() - begin >= 30);
	if (test_on_sim())
		expect_eq(tickGet() - begin, 30);
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

static void refused(void *arg)
{
	SEM_ID mutex = arg;

	FAILS(semBCreate, S_intLib_NOT_ISR_CALLABLE, semBCreate(SEM_Q_FIFO, SEM_FULL));
	FAILS(semCCreate, S_intLib_NOT_ISR_CALLABLE, semCCreate(SEM_Q_FIFO, 0));
	FAILS(semMCreate, S_intLib_NOT_ISR_CALLABLE, semMCreate(SEM_Q_FIFO));
	FAILS(semTake, S_intLib_NOT_ISR_CALLABLE, semTake(mutex, NO_WAIT));
	FAILS(semTake, S_intLib_NOT_ISR_CALLABLE, semTake(mutex, WAIT_FOREVER));
	FAILS(semGive, S_intLib_NOT_ISR_CALLABLE, semGive(mutex));
	FAILS(semDelete, S_intLib_NOT_ISR_CALLABLE, semDelete(mutex));
	FAILS(semBInitialize, S_intLib_NOT_ISR_CALLABLE, semBInitialize("", 0, SEM_FULL));
	FAILS(semCInitialize, S_intLib_NOT_ISR_CALLABLE, semCInitialize("", 0, 0));
	FAILS(semMInitialize, S_intLib_NOT_ISR_CALLABLE, semMInitialize("", 0));
	FAILS(semCreate, S_intLib_NOT_ISR_CALLABLE, semCreate());
	FAILS(semClear, S_intLib_NOT_ISR_CALLABLE, semClear(mutex));
	FAILS(semShow, S_intLib_NOT_ISR_CALLABLE, semShow(mutex, 0));
	FAILS(semInfo, S_intLib_NOT_ISR_CALLABLE, semInfo(mutex, NULL, 0));
}

TEST(handlers_are_refused_with_their_code)
{
	test_in_handler(refused, WORKS(semMCreate, semMCreate(SEM_Q_FIFO)));
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

static int waits(SEM_ID sem)
{
	return semTake(sem, WAIT_FOREVER);
}

TEST(waiting_tasks_are_listed)
{
	SEM_ID sem = WORKS(semBCreate, semBCreate(SEM_Q_FIFO, SEM_EMPTY));
	int first = vx_spawn("tFirst", 100, waits, (long)sem);
	int second = vx_spawn("tSecond", 100, waits, (long)sem);
	int ids[4];

	vx_until_pended(first);
	vx_until_pended(second);
	expect_eq(WORKS(semInfo, semInfo(sem, ids, 4)), 2);
	expect_true(ids[0] == first && ids[1] == second);
	expect_eq(semInfo(sem, ids, 1), 1);
	expect_eq(semInfo(sem, NULL, 4), 0);
	(void)WORKS(semShow, semShow(sem, 1));
	(void)WORKS(semDelete, semDelete(sem));
}
