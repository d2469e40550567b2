/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starting tasks: from the call to the first instruction of the entry. */
#include "core/task.h"
#include "sched/sched.h"

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

void nuc_task_entry(void *arg)
{
	struct nuc_task *task = arg;

	/* A signal may have sent it to its shadow before its first run: no CPU's data are its
	 * there. */
	if (!(task->state & TACT_TASK_STATE_RELAXED)) {
		struct nuc_cpu *cpu = atomic_load_explicit(&task->cpu, memory_order_relaxed);

		nuc_sched_arrived(cpu);
		/* Also with nothing to settle: a first run may have an instant to wait for. */
		nuc_settle(cpu);
	}
	hal_leave();
	if (task->goes_back)
		nuc_task_go_back(task);
	task->entry(task->arg);
	tact_task_exit();
}
