/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be known of tasks: names, options, states, and words of the program. */
#include <taskLib.h>

#include <intLib.h>
#include <string.h>

#include "vxworks_internal.h"

static struct vxworks_object *find(int tid)
{
	struct vxworks_object *task = vxworks_task_find(tid);

	if (!task)
		(void)vxworks_fail(S_objLib_OBJ_ID_ERROR);
	return task;
}

int vxworks_task_status(const struct vxworks_object *task)
{
	struct tact_task_info info = {0};
	int status = WIND_READY;

	if (tact_task_inquire(vxworks_native(task), &info) || info.state & TACT_TASK_STATE_ENDED)
		return ERROR;
	if (info.state & (TACT_TASK_STATE_DORMANT | TACT_TASK_STATE_SUSPENDED))
		status |= WIND_SUSPEND;
	if (info.state & TACT_TASK_STATE_WAITING)
		status |= WIND_PEND;
	if (info.state & TACT_TASK_STATE_SLEEPING)
		status |= WIND_DELAY;
	return status;
}

static BOOL has_status(int tid, int wanted)
{
	const struct vxworks_object *task = vxworks_task_find(tid);
	const int status = task ? vxworks_task_status(task) : ERROR;

	if (status == ERROR)
		return FALSE;
	return wanted ? (status & wanted) != 0 : status == WIND_READY;
}

BOOL taskIsReady(int tid)
{
	return has_status(tid, WIND_READY);
}

BOOL taskIsSuspended(int tid)
{
	return has_status(tid, WIND_SUSPEND);
}

BOOL taskIsPended(int tid)
{
	return has_status(tid, WIND_PEND);
}

BOOL taskIsDelayed(int tid)
{
	return has_status(tid, WIND_DELAY);
}

WIND_TCB *taskTcb(int tid)
{
	struct vxworks_object *task = find(tid);
	struct tact_task_info info = {0};

	if (!task)
		return NULL;
	if (!vxworks_in_handler() && !tact_task_inquire(vxworks_native(task), &info)) {
		task->task.tcb->priority = TACT_PRIORITY_MAX - info.priority;
		task->task.tcb->status = (UINT)vxworks_task_status(task);
	}
	return task->task.tcb;
}

STATUS taskOptionsSet(int tid, int mask, int newOptions)
{
	struct vxworks_object *task = find(tid);

	if (!task)
		return ERROR;
	/* The only one that can be changed. */
	if ((mask | newOptions) & ~VX_UNBREAKABLE)
		return vxworks_fail(EINVAL);
	task->task.tcb->options = (task->task.tcb->options & ~mask) | newOptions;
	return OK;
}

STATUS taskOptionsGet(int tid, int *pOptions)
{
	const struct vxworks_object *task = find(tid);

	if (task && pOptions)
		*pOptions = task->task.tcb->options;
	return task ? OK : ERROR;
}

char *taskName(int tid)
{
	struct vxworks_object *task = find(tid);

	return task ? task->record.name : NULL;
}

int taskNameToId(const char *name)
{
	const struct runtime_record *record =
		name ? runtime_find_name(&vxworks_objects, VXWORKS_TASK, name) : NULL;

	return record ? (int)runtime_id(record) : vxworks_fail(S_taskLib_NAME_NOT_FOUND);
}

int taskIdDefault(int tid)
{
	static _Atomic int last;

	if (tid)
		last = tid;
	return last;
}

struct listing {
	int *ids;
	int room;
	int found;
};

static bool list(struct runtime_record *record, void *arg)
{
	struct listing *listing = arg;

	if (listing->found < listing->room)
		listing->ids[listing->found++] = (int)runtime_id(record);
	return false;
}

int taskIdListGet(int idList[], int maxTasks)
{
	struct listing listing = {idList, idList ? maxTasks : 0, 0};

	(void)runtime_search(&vxworks_objects, VXWORKS_TASK, list, &listing);
	return listing.found;
}

STATUS taskInfoGet(int tid, TASK_DESC *pTaskDesc)
{
	const struct vxworks_object *task = find(tid);
	struct tact_task_info info = {0};
	int error;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!task)
		return ERROR;
	if (!pTaskDesc)
		return vxworks_fail(EINVAL);
	error = tact_task_inquire(vxworks_native(task), &info);
	if (error)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	*pTaskDesc = (TASK_DESC){
		.td_id = vxworks_task_id(task),
		.td_priority = TACT_PRIORITY_MAX - info.priority,
		.td_priNormal = TACT_PRIORITY_MAX - info.base_priority,
		.td_status = (UINT)vxworks_task_status(task),
		.td_options = task->task.tcb->options,
		.td_entry = task->task.tcb->entry,
		.td_stackSize = (int)info.stack_bytes,
		.td_stackHigh = (int)info.stack_used_bytes,
		.td_stackMargin = (int)(info.stack_bytes - info.stack_used_bytes),
		.td_errorStatus = task->task.tcb->errorStatus,
	};
	memcpy(pTaskDesc->td_name, task->record.name, sizeof(pTaskDesc->td_name) - 1);
	return OK;
}

STATUS taskGetInfo(int tid, TASK_DESC *pTaskDesc)
{
	return taskInfoGet(tid, pTaskDesc);
}

static int *spare(struct vxworks_object *task, int num)
{
	int *const words[] = {&task->task.tcb->spare1, &task->task.tcb->spare2,
			      &task->task.tcb->spare3, &task->task.tcb->spare4};

	return num >= 1 && num <= 4 ? words[num - 1] : NULL;
}

STATUS taskSpareNumAllot(int tid, int *pNum)
{
	static _Atomic int allotted;
	int num;

	if (!find(tid))
		return ERROR;
	num = pNum ? atomic_fetch_add(&allotted, 1) + 1 : 0;
	if (!pNum || num > 4)
		return vxworks_fail(EINVAL);
	*pNum = num;
	return OK;
}

int taskSpareFieldGet(int tid, int num)
{
	struct vxworks_object *task = find(tid);

	if (!task)
		return ERROR;
	return spare(task, num) ? *spare(task, num) : vxworks_fail(EINVAL);
}

STATUS taskSpareFieldSet(int tid, int num, int value)
{
	struct vxworks_object *task = find(tid);

	if (!task)
		return ERROR;
	if (!spare(task, num))
		return vxworks_fail(EINVAL);
	*spare(task, num) = value;
	return OK;
}
