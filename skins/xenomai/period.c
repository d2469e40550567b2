/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program of Xenomai computes its next release by adding (overruns + 1) periods to its former
 * release. With the nucleus's count it would be `overruns` periods.
 */
#include "period.h"

#include <errno.h>

#include <tactus/tact.h>

int skin_wait_period(uint64_t *overruns)
{
	int error;

	*overruns = 0;
	error = tact_task_wait_period(overruns, NULL);
	if (error == -TACT_ESRCH)
		return -EWOULDBLOCK;
	return error == -TACT_ETIMEDOUT && !--*overruns ? 0 : error;
}
