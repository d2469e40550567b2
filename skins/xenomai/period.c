/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program of Xenomai's adds (overruns + 1) periods to the release that it was given to know the
 * next one. The nucleus counts from the other end: overruns periods.
 */
#include "period.h"

#include <tactus/tact.h>

int skin_wait_period(uint64_t *overruns)
{
	int error;

	*overruns = 0;
	error = tact_task_wait_period(overruns, NULL);
	return error == -TACT_ETIMEDOUT && !--*overruns ? 0 : error;
}
