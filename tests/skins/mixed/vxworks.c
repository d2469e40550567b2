/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* VxWorks, as mixed.h describes a skin. Its semaphores have no names. */
#include "mixed.h"
#include "test.h"

#include <errnoLib.h>
#include <intLib.h>
#include <semLib.h>
#include <taskLib.h>
#include <vxWorks.h>

#include <errno.h>

static SEM_ID sems[MIXED_MANY];
static int tasks[MIXED_TASKS];

static void make(int number)
{
	sems[number] = semCCreate(SEM_Q_FIFO, 0);
	expect_true(sems[number] != NULL);
}

static void unmake(int number)
{
	expect_eq(semDelete(sems[number]), OK);
}

/* To be called first after a failure: in virtual time errno is that of all tasks, and each call is
 * where another task may go on. A handler has an errno of its own, which errno does not show. */
static int code_of_failure(void)
{
	const int code = errno;

	return intContext() ? errnoGet() : code;
}

static bool give(int number)
{
	if (semGive(sems[number]) == OK)
		return true;
	expect_eq(code_of_failure(), S_objLib_OBJ_ID_ERROR);
	return false;
}

static enum mixed_end take(int number, enum mixed_wait wait)
{
	static const int times[] = {NO_WAIT, 1, WAIT_FOREVER};

	if (semTake(sems[number], times[wait]) == OK)
		return MIXED_TAKEN;
	switch (code_of_failure()) {
	case S_objLib_OBJ_UNAVAILABLE:
	case S_objLib_OBJ_TIMEOUT:
		return MIXED_LATE;
	case S_objLib_OBJ_DELETED:
		return MIXED_DELETED;
	case S_objLib_OBJ_ID_ERROR:
		return MIXED_GONE;
	default:
		return MIXED_WRONG;
	}
}

static int entry(_Vx_usr_arg_t slot, ...)
{
	mixed_body((int)slot);
	return 0;
}

static void start(int slot)
{
	tasks[slot] =
		taskSpawn(NULL, 100, 0, 65536, (FUNCPTR)entry, slot, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	expect_true(tasks[slot] != ERROR);
}

static void until_gone(int slot)
{
	while (taskIdVerify(tasks[slot]) == OK)
		settle();
}

const struct mixed_skin mixed_vxworks = {
	"VxWorks", make, unmake, give, take, NULL, start, until_gone,
};
