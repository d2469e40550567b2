/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers, and the locks that keep them from beginning. */
#include <intLib.h>

#include "vxworks_internal.h"

BOOL intContext(void)
{
	return runtime_in_handler();
}

int intCount(void)
{
	return runtime_in_handler();
}

/* main() as a plain thread, and handlers, lock nothing. */
int intLock(void)
{
	const int former = tact_task_lock_handlers();

	/* At the limit nothing was locked: a key that undoes nothing. */
	if (former == -TACT_EOVERFLOW)
		return TACT_HANDLER_LOCKS_MAX;
	return former > 0 ? former : 0;
}

void intUnlock(int lockKey)
{
	if (lockKey >= 0)
		(void)tact_task_restore_handlers((uint32_t)lockKey);
}

/* There are two levels: 0, and all others. */
int intLevelSet(int level)
{
	const int former = intLock();

	if (!level)
		intUnlock(0);
	else if (former)
		intUnlock(former);
	return former ? 1 : 0;
}
