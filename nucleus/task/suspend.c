/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Suspension of tasks: it is counted, and is independent of a wait. A signal for the shadow of a
 * suspended task ends all its suspensions. A task that suspended itself gets -TACT_EINTR then.
 */
#include "task/suspend.h"

#include <tactus/suspension.h>

#include "task/ready.h"
#include "task/task_call.h"

static int suspend_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	if (task->suspend_count == UINT16_MAX)
		return -TACT_EOVERFLOW;
	/* Only for a task that suspends itself: another caller may suspend it again before it has
	 * returned the result of its own suspension. */
	if (call->a)
		task->suspend_broken = 0;
	if (!task->suspend_count++)
		nuc_task_block(cpu, task, TACT_TASK_STATE_SUSPENDED);
	return 0;
}

static int suspend_once_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	return task->suspend_count ? 1 : suspend_act(cpu, task, call);
}

static int suspend(tact_task_t task,
		   int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *))
{
	const tact_task_t self = tact_task_self();
	struct nuc_task_call call;
	int result;

	/* A handler is not a task and cannot be suspended. */
	if (tact_same(task, TACT_SELF) && tact_mode() == TACT_MODE_HANDLER)
		return -TACT_EPERM;
	call.a = self.id && (tact_same(task, TACT_SELF) || task.id == self.id);
	result = nuc_task_call(task, &call, NUC_CALL_CAST, act);
	return !result && call.a && call.call.task->suspend_broken ? -TACT_EINTR : result;
}

int tact_task_suspend(tact_task_t task)
{
	return suspend(task, suspend_act);
}

int tact_task_suspend_once(tact_task_t task)
{
	return suspend(task, suspend_once_act);
}

static int resume_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	if (!task->suspend_count)
		return -TACT_ESRCH;
	if (!--task->suspend_count)
		nuc_task_unblock(cpu, task, TACT_TASK_STATE_SUSPENDED);
	return 0;
}

int tact_task_resume(tact_task_t task)
{
	struct nuc_task_call call;

	return nuc_task_call(task, &call, NUC_CALL_CAST, resume_act);
}

static int resume_all_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	const int undone = task->suspend_count;

	(void)call;
	task->suspend_count = 0;
	if (undone)
		nuc_task_unblock(cpu, task, TACT_TASK_STATE_SUSPENDED);
	return undone;
}

int tact_task_resume_all(tact_task_t task)
{
	struct nuc_task_call call;

	return nuc_task_call(task, &call, NUC_CALL_CAST, resume_all_act);
}

void nuc_task_break_suspension(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (!task->suspend_count)
		return;
	task->suspend_count = 0;
	task->suspend_broken = 1;
	nuc_task_unblock(cpu, task, TACT_TASK_STATE_SUSPENDED);
}
