/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Safety from deletion, and restart. */
#include "vx.h"

#include <pthread.h>
#include <semLib.h>

static SEM_ID go, mutex;

static int is_safe(void)
{
	(void)WORKS(taskSafe, taskSafe());
	(void)WORKS(taskSafe, taskSafe());
	expect_eq(semTake(go, WAIT_FOREVER), OK);
	(void)WORKS(taskUnsafe, taskUnsafe());
	mark("safe");
	(void)taskUnsafe();
	mark("never");
	return 0;
}

static int deletes(int tid)
{
	(void)WORKS(taskDelete, taskDelete(tid));
	mark("deleted");
	return 0;
}

TEST(deleter_waits_until_the_task_is_not_safe)
{
	int tid, deleter;

	go = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	tid = vx_spawn("tSafe", 100, is_safe, 0);
	vx_until_pended(tid);
	deleter = vx_spawn("tDeletes", 50, deletes, tid);
	vx_until_pended(deleter);
	expect_eq(taskIdVerify(tid), OK);
	expect_eq(semGive(go), OK);
	vx_until_ended(deleter);
	expect_marks("safe deleted");
	FAILS(taskIdVerify, S_objLib_OBJ_ID_ERROR, taskIdVerify(tid));
}

static int owns(void)
{
	expect_eq(semTake(mutex, WAIT_FOREVER), OK);
	expect_eq(semTake(go, WAIT_FOREVER), OK);
	mark("owned");
	expect_eq(semGive(mutex), OK);
	mark("never");
	return 0;
}

TEST(owner_of_a_safe_semaphore_is_safe)
{
	int tid, deleter;

	go = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	mutex = WORKS(semMCreate,
		      semMCreate(SEM_Q_PRIORITY | SEM_INVERSION_SAFE | SEM_DELETE_SAFE));
	tid = vx_spawn("tOwns", 100, owns, 0);
	vx_until_pended(tid);
	deleter = vx_spawn("tDeletes", 50, deletes, tid);
	vx_until_pended(deleter);
	expect_eq(semGive(go), OK);
	vx_until_ended(deleter);
	expect_marks("owned deleted");
}

TEST(force_deletes_a_safe_task)
{
	int tid;

	go = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	tid = vx_spawn("tSafe", 100, is_safe, 0);
	vx_until_pended(tid);
	(void)WORKS(taskDeleteForce, taskDeleteForce(tid));
	expect_eq(semGive(go), OK);
	settle();
	expect_marks("");
}

static int broken(int tid)
{
	FAILS(taskDelete, EINTR, taskDelete(tid));
	mark("broken");
	return 0;
}

TEST(broken_wait_leaves_the_order)
{
	tact_object_t native;
	int tid, deleter;

	go = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	tid = vx_spawn("tSafe", 100, is_safe, 0);
	vx_until_pended(tid);
	deleter = vx_spawn("tBroken", 50, broken, tid);
	vx_until_pended(deleter);
	expect_ok(tact_find("tBroken", TACT_NOWAIT, &native));
	expect_ok(tact_task_unblock((tact_task_t){native.id}, -TACT_EINTR));
	vx_until_ended(deleter);
	expect_eq(semGive(go), OK);
	settle();
	expect_marks("broken safe");
}

static int rounds;

static int begins(long word)
{
	expect_eq(word, 42);
	mark("begins");
	if (++rounds == 3)
		return 0;
	if (rounds == 2) {
		(void)WORKS(taskRestart, taskRestart(0));
		mark("never");
	}
	expect_eq(semTake(go, WAIT_FOREVER), OK);
	mark("never");
	return 0;
}

TEST(restarted_task_begins_again_with_its_arguments)
{
	int tid;

	go = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	tid = vx_spawn("tRestarts", 100, begins, 42);
	vx_until_pended(tid);
	(void)WORKS(taskRestart, taskRestart(tid));
	vx_until_ended(tid);
	expect_marks("begins begins begins");
	FAILS(taskRestart, S_objLib_OBJ_ID_ERROR, taskRestart(tid));
	rounds = 2;
	tid = taskCreate("tRestarts", 100, 0, 0, (FUNCPTR)begins, 42, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	(void)WORKS(taskRestart, taskRestart(tid));
	vx_until_ended(tid);
	expect_marks("begins begins begins begins");
}

static void handler(void *arg)
{
	(void)arg;
	FAILS(taskRestart, S_intLib_NOT_ISR_CALLABLE, taskRestart(1));
	FAILS(taskSafe, S_intLib_NOT_ISR_CALLABLE, taskSafe());
	FAILS(taskUnsafe, S_intLib_NOT_ISR_CALLABLE, taskUnsafe());
}

static void *plain(void *arg)
{
	FAILS(taskSafe, S_objLib_OBJ_NO_METHOD, taskSafe());
	FAILS(taskUnsafe, S_objLib_OBJ_NO_METHOD, taskUnsafe());
	return arg;
}

TEST(safety_is_of_tasks)
{
	pthread_t thread;

	test_in_handler(handler, NULL);
	expect_eq(pthread_create(&thread, NULL, plain, NULL), 0);
	expect_eq(pthread_join(thread, NULL), 0);
}
