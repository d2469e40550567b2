/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starting tasks: from the call to the first instruction of the entry. */
#include "task/ready.h"
#include "task/task_call.h"

static int start_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	if (task->started)
		return -TACT_EBUSY;
	task->started = 1;
	task->entry = (void (*)(void *))(uintptr_t)call->a;
	task->arg = (void *)(uintptr_t)call->b;
	nuc_task_unblock(cpu, task, TACT_TASK_STATE_DORMANT);
	return 0;
}

int tact_task_start(tact_task_t task, void (*entry)(void *arg), void *arg)
{
	struct nuc_task_call call;

	if (!entry)
		return -TACT_EINVAL;
	call.a = (uint64_t)(uintptr_t)entry;
	call.b = (uint64_t)(uintptr_t)arg;
	return nuc_task_call(task, &call, NUC_CALL_CAST, start_act);
}

int tact_task_spawn(const struct tact_task_attr *attr, void (*entry)(void *arg), void *arg,
		    tact_task_t *task)
{
	tact_task_t handle;
	int error;

	if (!entry)
		return -TACT_EINVAL;
	error = tact_task_create(attr, &handle);
	if (error)
		return error;
	/* Before the start: the new task may read it. */
	if (task)
		*task = handle;
	return tact_task_start(handle, entry, arg);
}
