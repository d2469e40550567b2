/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What Alchemy and VxWorks alone show: the names of objects in the registry, and a task that waits
 * for ticks of another skin.
 */
#include "test.h"

#include <alchemy/sem.h>
#include <alchemy/task.h>
#include <semLib.h>
#include <vxWorks.h>

#include <errno.h>
#include <tactus/tact.h>

static SEM_ID vx;
static RT_SEM alchemy;

static void alchemy_task(void *arg)
{
	(void)arg;
	mark("waits");
	expect_eq(semTake(vx, WAIT_FOREVER), OK);
	mark("has");
	expect_eq(rt_sem_v(&alchemy), 0);
	/* One tick of 60 Hz passes, also on a task of another skin. */
	expect_eq(semTake(vx, 1), ERROR);
	expect_eq(errno, S_objLib_OBJ_TIMEOUT);
	expect_eq(semTake(vx, WAIT_FOREVER), ERROR);
	expect_eq(errno, S_objLib_OBJ_DELETED);
	mark("deleted");
}

TEST(task_of_one_skin_waits_for_objects_of_another)
{
	RT_TASK task;

	vx = semBCreate(SEM_Q_PRIORITY, SEM_EMPTY);
	expect_eq(rt_sem_create(&alchemy, "met", 0, S_PRIO), 0);
	expect_eq(rt_task_spawn(&task, "mixed", 0, 50, T_JOINABLE, alchemy_task, NULL), 0);
	expect_eq(semGive(vx), OK);
	expect_eq(rt_sem_p(&alchemy, TM_INFINITE), 0);
	expect_eq(rt_task_sleep(50000000), 0);
	expect_eq(semDelete(vx), OK);
	expect_eq(rt_task_join(&task), 0);
	expect_marks("waits has deleted");
	expect_eq(rt_sem_delete(&alchemy), 0);
}

/* The registry has the objects of all skins, as TYPE:NAME. */
TEST(native_api_posts_a_semaphore_of_a_skin)
{
	tact_object_t found;

	expect_eq(rt_sem_create(&alchemy, "shared", 0, S_PRIO), 0);
	expect_eq(tact_find("sem:shared", TACT_NOWAIT, &found), 0);
	expect_eq(tact_sem_post((tact_sem_t){found.id}), 0);
	expect_eq(rt_sem_p(&alchemy, TM_NONBLOCK), 0);
	expect_eq(rt_sem_delete(&alchemy), 0);
	expect_eq(tact_find("sem:shared", TACT_NOWAIT, &found), -TACT_EAGAIN);
}
