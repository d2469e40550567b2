/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What skin_check.h and vx.h declare. */
#include "vx.h"

void skin_before(void)
{
	(void)errnoSet(0);
}

/* A failed call returns ERROR or NULL, and sets errno; one that succeeds may leave anything there.
 */
long skin_code(long result)
{
	return result == ERROR ? errnoGet() : OK;
}

int vx_spawn(const char *name, int priority, FUNCPTR body, long arg)
{
	int tid =
		taskSpawn(name, priority, VX_FP_TASK, 20000, body, arg, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	expect_true(tid != ERROR);
	return tid;
}

void vx_until_pended(int tid)
{
	while (!taskIsPended(tid))
		expect_eq(taskDelay(1), OK);
}

void vx_until_ended(int tid)
{
	/* It may have ended already. */
	if (taskWait(tid, WAIT_FOREVER) == ERROR)
		expect_eq(errno, S_objLib_OBJ_ID_ERROR);
}

void vx_in_task(int priority, FUNCPTR body, long arg)
{
	vx_until_ended(vx_spawn(NULL, priority, body, arg));
}
