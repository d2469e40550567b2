/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks: creation, arguments, order by priority, suspension, deletion. */
#include "vx.h"

#include <errnoLib.h>
#include <kernelLib.h>
#include <semLib.h>
#include <shellLib.h>
#include <tickLib.h>
#include <usrLib.h>

static int sums(long a, long b, long c, long d, long e, long f, long g, long h, long j, long k)
{
	expect_eq(a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f + 1000000 * g +
			  10000000 * h + 100000000 * j + 1000000000 * k,
		  9876543210);
	mark("sum");
	return 0;
}

TEST(task_gets_ten_arguments)
{
	int tid = WORKS(taskSpawn, taskSpawn("tSum", 100, VX_FP_TASK, 2000, (FUNCPTR)sums, 0, 1, 2,
					     3, 4, 5, 6, 7, 8, 9));

	expect_true(tid > 0);
	settle();
	expect_marks("sum");
}

static int tells(char *word)
{
	mark(word);
	return 0;
}

static int tells_after(SEM_ID sem, char *word)
{
	expect_eq(semTake(sem, WAIT_FOREVER), OK);
	mark(word);
	return 0;
}

#define SPAWN(name, priority, entry, a, b)                                                        \
	taskSpawn(name, priority, 0, 8192, (FUNCPTR)(entry), (long)(a), (long)(b), 0, 0, 0, 0, 0, \
		  0, 0, 0)

TEST(all_256_priorities_are_distinct)
{
	SEM_ID sem = semBCreate(SEM_Q_PRIORITY, SEM_EMPTY);

	expect_true(SPAWN("t255", 255, tells_after, sem, "255") > 0);
	expect_true(SPAWN("t254", 254, tells_after, sem, "254") > 0);
	expect_true(SPAWN("t0", 0, tells_after, sem, "0") > 0);
	expect_true(SPAWN("t1", 1, tells_after, sem, "1") > 0);
	while (!taskIsPended(taskNameToId("t255")) || !taskIsPended(taskNameToId("t254")))
		(void)taskDelay(1);
	expect_eq(semFlush(sem), OK);
	settle();
	expect_marks("0 1 254 255");
}

TEST(wrong_requests_are_refused)
{
	WIND_TCB tcb;

	FAILS(taskSpawn, S_taskLib_ILLEGAL_PRIORITY,
	      taskSpawn("t", 256, 0, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskSpawn, EINVAL, taskSpawn("t", 1, 0, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskSpawn, EINVAL,
	      taskSpawn("t", 1, 0x10000, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskCreate, S_taskLib_ILLEGAL_PRIORITY,
	      taskCreate("t", -1, 0, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskCreate, EINVAL,
	      taskCreate("t", 1, 0, -1, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskInit, S_taskLib_ILLEGAL_PRIORITY,
	      taskInit(&tcb, "t", 999, 0, NULL, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskInit, EINVAL,
	      taskInit(NULL, "t", 1, 0, NULL, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskActivate, S_objLib_OBJ_ID_ERROR, taskActivate(12345));
	FAILS(taskDelete, S_objLib_OBJ_ID_ERROR, taskDelete(12345));
	FAILS(taskDeleteForce, S_objLib_OBJ_ID_ERROR, taskDeleteForce(-1));
	FAILS(taskSuspend, S_objLib_OBJ_ID_ERROR, taskSuspend(12345));
	FAILS(taskResume, S_objLib_OBJ_ID_ERROR, taskResume(12345));
	FAILS(taskPrioritySet, S_objLib_OBJ_ID_ERROR, taskPrioritySet(12345, 1));
	FAILS(taskPrioritySet, S_taskLib_ILLEGAL_PRIORITY, taskPrioritySet(12345, 256));
	FAILS(taskPriorityGet, S_objLib_OBJ_ID_ERROR, taskPriorityGet(12345, NULL));
	FAILS(taskIdVerify, S_objLib_OBJ_ID_ERROR, taskIdVerify(12345));
	FAILS(taskTcb, S_objLib_OBJ_ID_ERROR, taskTcb(12345));
	FAILS(taskWait, S_objLib_OBJ_ID_ERROR, taskWait(12345, WAIT_FOREVER));
	FAILS(td, S_objLib_OBJ_ID_ERROR, td(12345));
	FAILS(ts, S_objLib_OBJ_ID_ERROR, ts(12345));
	FAILS(tr, S_objLib_OBJ_ID_ERROR, tr(12345));
	FAILS(sp, EINVAL, sp(NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(created_task_waits_for_its_activation)
{
	WIND_TCB tcb;
	int tid = WORKS(taskCreate, taskCreate("tLater", 100, 0, 0, (FUNCPTR)tells, (long)"created",
					       0, 0, 0, 0, 0, 0, 0, 0, 0));

	(void)WORKS(taskInit, taskInit(&tcb, "tOwn", 100, 0, NULL, 0, (FUNCPTR)tells, (long)"own",
				       0, 0, 0, 0, 0, 0, 0, 0, 0));
	settle();
	expect_true(taskIsSuspended(tid));
	expect_marks("");
	(void)WORKS(taskActivate, taskActivate(tid));
	settle();
	(void)WORKS(taskActivate, taskActivate((int)(intptr_t)&tcb));
	settle();
	expect_marks("created own");
}

static int counts(int *count)
{
	for (;;) {
		++*count;
		expect_eq(taskDelay(1), OK);
	}
	return 0;
}

TEST(suspension_is_not_counted)
{
	int count = 0;
	int tid = SPAWN("tCounts", 100, counts, &count, 0);
	int before;

	(void)WORKS(taskDelay, taskDelay(3));
	expect_true(count > 0);
	(void)WORKS(taskSuspend, taskSuspend(tid));
	(void)WORKS(ts, ts(tid));
	expect_true(taskIsSuspended(tid));
	before = count;
	expect_eq(taskDelay(5), OK);
	expect_eq(count, before);
	(void)WORKS(taskResume, taskResume(tid));
	expect_eq(taskDelay(5), OK);
	expect_true(count > before);
	(void)WORKS(tr, tr(tid));
	(void)WORKS(taskDelete, taskDelete(tid));
	FAILS(taskResume, S_objLib_OBJ_ID_ERROR, taskResume(tid));
}

static int forever(SEM_ID sem)
{
	(void)semTake(sem, WAIT_FOREVER);
	mark("never");
	return 0;
}

TEST(deleted_task_is_gone)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	int tid = SPAWN("tForever", 100, forever, sem, 0);

	vx_until_pended(tid);
	FAILS(taskWait, S_objLib_OBJ_UNAVAILABLE, taskWait(tid, NO_WAIT));
	FAILS(taskWait, S_objLib_OBJ_TIMEOUT, taskWait(tid, 1));
	(void)WORKS(taskDeleteForce, taskDeleteForce(tid));
	expect_eq(taskIdVerify(tid), ERROR);
	tid = SPAWN("tForever", 100, forever, sem, 0);
	vx_until_pended(tid);
	(void)WORKS(td, td(tid));
	FAILS(taskIdVerify, S_objLib_OBJ_ID_ERROR, taskIdVerify(tid));
	settle();
	expect_marks("");
}

static int exits(void)
{
	WORKS(taskExit, (mark("exits"), errno || taskIdSelf() ? taskExit(7) : taskExit(8), 0));
	return 0;
}

static int waits_for(int tid)
{
	(void)WORKS(taskWait, taskWait(tid, WAIT_FOREVER));
	mark("waited");
	return 0;
}

TEST(exit_ends_the_task_and_the_wait_for_it)
{
	int tid = taskCreate("tExits", 100, 0, 0, (FUNCPTR)exits, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	vx_until_pended(SPAWN("tWaits", 90, waits_for, tid, 0));
	expect_eq(taskActivate(tid), OK);
	settle();
	expect_marks("exits waited");
}

static int knows_itself(void)
{
	int priority = -1;
	int self = WORKS(taskIdSelf, taskIdSelf());

	expect_eq(taskNameToId("tSelf"), self);
	(void)WORKS(taskIdVerify, taskIdVerify(self));
	(void)WORKS(taskPriorityGet, taskPriorityGet(0, &priority));
	expect_eq(priority, 77);
	(void)WORKS(taskPrioritySet, taskPrioritySet(0, 78));
	expect_eq(taskPriorityGet(self, &priority), OK);
	expect_eq(priority, 78);
	expect_eq(WORKS(taskTcb, taskTcb(0))->priNormal, 78);
	expect_eq(taskTcb(self)->id, self);
	mark("self");
	return 0;
}

TEST(task_knows_itself)
{
	expect_true(SPAWN("tSelf", 77, knows_itself, 0, 0) > 0);
	settle();
	expect_eq(taskIdSelf(), 0);
}

static int locks(SEM_ID sem)
{
	(void)WORKS(taskLock, taskLock());
	(void)WORKS(taskLock, taskLock());
	expect_true(SPAWN("tUrgent", 10, tells, "urgent", 0) > 0);
	(void)WORKS(taskUnlock, taskUnlock());
	mark("locked");
	expect_eq(semGive(sem), OK);
	(void)WORKS(taskUnlock, taskUnlock());
	(void)WORKS(taskUnlock, taskUnlock());
	mark("unlocked");
	return 0;
}

static int takes(SEM_ID sem)
{
	expect_eq(semTake(sem, WAIT_FOREVER), OK);
	mark("taken");
	return 0;
}

TEST(lock_keeps_more_urgent_tasks_away)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);

	vx_until_pended(SPAWN("tTakes", 20, takes, sem, 0));
	vx_in_task(100, locks, (long)sem);
	expect_marks("locked urgent taken unlocked");
}

static void plain(void *arg)
{
	(void)arg;
	FAILS(taskLock, S_objLib_OBJ_NO_METHOD, taskLock());
	FAILS(taskUnlock, S_objLib_OBJ_NO_METHOD, taskUnlock());
}

#include <pthread.h>

static void *thread(void *arg)
{
	plain(arg);
	return NULL;
}

TEST(threads_of_linux_lock_nothing)
{
	pthread_t other;

	expect_eq(pthread_create(&other, NULL, thread, NULL), 0);
	expect_eq(pthread_join(other, NULL), 0);
}

TEST(delays_end_with_ticks)
{
	ULONG begin = tickGet();

	expect_eq(taskDelay(25), OK);
	expect_true(tickGet() - begin >= 25);
	if (test_on_sim())
		expect_eq(tickGet() - begin, 25);
	expect_eq(taskDelay(0), OK);
}

static int broken(void)
{
	FAILS(taskDelay, EINTR, taskDelay(100000));
	mark("broken");
	return 0;
}

TEST(broken_delay_is_an_error)
{
	tact_object_t native;

	expect_true(SPAWN("tBroken", 100, broken, 0, 0) > 0);
	while (!taskIsDelayed(taskNameToId("tBroken")))
		expect_eq(taskDelay(1), OK);
	expect_ok(tact_find("tBroken", TACT_NOWAIT, &native));
	expect_ok(tact_task_unblock((tact_task_t){native.id}, 0));
	settle();
	expect_marks("broken");
}

static int runs_long(char *word)
{
	for (int n = 0; n < 3; n++) {
		mark(word);
		tact_compute(40 * TEST_MS);
	}
	return 0;
}

static int spawns_two(void)
{
	expect_true(SPAWN("tA", 50, runs_long, "a", 0) > 0);
	expect_true(SPAWN("tB", 50, runs_long, "b", 0) > 0);
	return 0;
}

TEST(time_slices_alternate_tasks_of_one_priority)
{
	(void)WORKS(kernelTimeSlice, kernelTimeSlice(2));
	vx_in_task(10, spawns_two, 0);
	expect_eq(taskDelay(30), OK);
	if (test_on_sim())
		expect_marks("a b a b a b");
	(void)WORKS(kernelTimeSlice, kernelTimeSlice(0));
	FAILS(kernelTimeSlice, EINVAL, kernelTimeSlice(-1));
	expect_true(strlen(WORKS(kernelVersion, kernelVersion())) > 0);
}

TEST(spawn_command_names_its_tasks)
{
	int tid = WORKS(sp, sp((FUNCPTR)tells, (long)"sp", 0, 0, 0, 0, 0, 0, 0, 0));

	expect_true(tid > 0);
	settle();
	expect_marks("sp");
}

static void handler(void *arg)
{
	int tid = *(int *)arg;
	WIND_TCB tcb;

	FAILS(taskSpawn, S_intLib_NOT_ISR_CALLABLE,
	      taskSpawn("t", 1, 0, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskCreate, S_intLib_NOT_ISR_CALLABLE,
	      taskCreate("t", 1, 0, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskInit, S_intLib_NOT_ISR_CALLABLE,
	      taskInit(&tcb, "t", 1, 0, NULL, 0, (FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(taskDelete, S_intLib_NOT_ISR_CALLABLE, taskDelete(tid));
	FAILS(taskDeleteForce, S_intLib_NOT_ISR_CALLABLE, taskDeleteForce(tid));
	FAILS(taskSuspend, S_intLib_NOT_ISR_CALLABLE, taskSuspend(0));
	FAILS(taskPriorityGet, S_intLib_NOT_ISR_CALLABLE, taskPriorityGet(tid, NULL));
	FAILS(taskLock, S_intLib_NOT_ISR_CALLABLE, taskLock());
	FAILS(taskUnlock, S_intLib_NOT_ISR_CALLABLE, taskUnlock());
	FAILS(taskDelay, S_intLib_NOT_ISR_CALLABLE, taskDelay(1));
	FAILS(taskWait, S_intLib_NOT_ISR_CALLABLE, taskWait(tid, 1));
	FAILS(kernelTimeSlice, S_intLib_NOT_ISR_CALLABLE, kernelTimeSlice(1));
	FAILS(sp, S_intLib_NOT_ISR_CALLABLE, sp((FUNCPTR)tells, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	FAILS(td, S_intLib_NOT_ISR_CALLABLE, td(tid));
	FAILS(shellInit, S_intLib_NOT_ISR_CALLABLE, shellInit(0, 0));
	(void)WORKS(taskSuspend, taskSuspend(tid));
	(void)WORKS(taskResume, taskResume(tid));
	(void)WORKS(taskPrioritySet, taskPrioritySet(tid, 3));
}

TEST(handlers_neither_create_nor_wait)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	int tid = SPAWN("tForever", 100, forever, sem, 0);

	test_in_handler(handler, &tid);
	expect_eq(taskDelete(tid), OK);
}

static int sets_errno(SEM_ID sem)
{
	(void)WORKS(errnoSet, errnoSet(S_objLib_OBJ_DELETED));
	expect_eq(errnoGet(), S_objLib_OBJ_DELETED);
	expect_eq(WORKS(errnoGet, errnoGet()), 0);
	expect_eq(errnoSet(S_objLib_OBJ_DELETED), OK);
	(void)semTake(sem, WAIT_FOREVER);
	mark(errnoOfTaskGet(0) == 99 || test_on_sim() ? "set" : "not");
	return 0;
}

TEST(errno_belongs_to_the_task)
{
	SEM_ID sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	int tid = SPAWN("tErrno", 100, sets_errno, sem, 0);

	vx_until_pended(tid);
	expect_eq(WORKS(errnoOfTaskGet, errnoOfTaskGet(tid)), S_objLib_OBJ_DELETED);
	(void)WORKS(errnoOfTaskSet, errnoOfTaskSet(tid, 99));
	FAILS(errnoOfTaskGet, S_objLib_OBJ_ID_ERROR, errnoOfTaskGet(12345));
	FAILS(errnoOfTaskSet, S_objLib_OBJ_ID_ERROR, errnoOfTaskSet(12345, 1));
	expect_eq(semGive(sem), OK);
	settle();
	expect_marks("set");
	(void)WORKS(printErrno, (printErrno(S_objLib_OBJ_TIMEOUT), 0));
}
