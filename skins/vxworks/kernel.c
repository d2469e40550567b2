/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time slices: all tasks are in the class of round robin then. */
#include <kernelLib.h>

#include <intLib.h>

#include "vxworks_internal.h"

static _Atomic int slice_ticks;

const struct tact_sched_param *vxworks_slice(struct tact_sched_param *param)
{
	const int ticks = atomic_load(&slice_ticks);

	*param = (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO};
	if (ticks > 0) {
		param->sched_class = TACT_SCHED_RR;
		param->quantum_ns = runtime_ticks_ns(&vxworks_ticks, (uint64_t)ticks);
	}
	return param;
}

static void apply(struct runtime_record *record)
{
	struct tact_sched_param param;

	(void)tact_task_set_sched((tact_task_t){runtime_native(record).id}, vxworks_slice(&param));
}

STATUS kernelTimeSlice(int ticks)
{
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (ticks < 0)
		return vxworks_fail(EINVAL);
	atomic_store(&slice_ticks, ticks);
	runtime_each(&vxworks_objects, VXWORKS_TASK, apply);
	return OK;
}

char *kernelVersion(void)
{
	static char version[] = "WIND version 2.6";

	return version;
}
