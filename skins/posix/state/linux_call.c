/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* While this skin makes a Linux call for a task, the flag that denies the task Linux calls is
 * off. */
#define _GNU_SOURCE
#include "posix/state/linux_call.h"

#include "posix/state/options.h"
#include "posix/state/record.h"

bool posix_linux_begin(void)
{
	if (!posix_thread_is_task(&posix_me) || !(posix_task_flags() & TACT_TASK_NO_LINUX))
		return false;
	return !tact_task_set_flags(TACT_SELF, 0, TACT_TASK_NO_LINUX);
}

void posix_linux_end(bool denied)
{
	if (denied && posix_thread_is_task(&posix_me))
		(void)tact_task_set_flags(TACT_SELF, TACT_TASK_NO_LINUX, 0);
}
