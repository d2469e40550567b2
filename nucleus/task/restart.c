/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Restart: the task is taken down as for its end, by the functions of end.c, and begins anew where
 * an ended task would be given back. Its class stays attached. Meanwhile its state is
 * TACT_TASK_STATE_DORMANT. An order for a safe task is NUC_WANTS_RESTART: see wants.h.
 */
#include "task/restart.h"

#include <tactus/restart.h>

#include "kernel/trace.h"
#include "task/end.h"
#include "task/entry.h"
#include "task/mode.h"
#include "task/priority.h"
#include "task/ready.h"
#include "task/routine.h"
#include "task/safe.h"
#include "task/task_call.h"

void nuc_task_forget(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_trace(cpu, TACT_TRACE_TASK_END, task->object.handle, 0);
	nuc_task_block(cpu, task, TACT_TASK_STATE_DORMANT);
	nuc_task_set_state(task,
			   (task->state & TACT_TASK_STATE_THROTTLED) | TACT_TASK_STATE_DORMANT);
	if (cpu->locker == task)
		cpu->locker = NULL;
	nuc_routine_reset(task);
	task->doomed = 0;
	task->suspend_count = 0;
	task->suspend_broken = 0;
	task->lock_count = 0;
	task->handler_locks = 0;
	task->safe_count = 0;
	task->safe_mutexes = 0;
	task->cut_short = 0;
	task->awaits_release = 0;
	task->period = (struct nuc_period){.ns = 0};
	task->status->period_ns = 0;
}

void nuc_task_begin_anew(struct nuc_cpu *cpu, struct nuc_task *task)
{
	task->restarts = 0;
	atomic_store_explicit(&task->signal, 0, memory_order_relaxed);
	nuc_task_renew_context(task);
	nuc_trace(cpu, TACT_TRACE_TASK_NEW, task->object.handle, task->priority);
	/* It owns nothing any more. */
	nuc_task_update_priority(cpu, task);
	nuc_task_unblock(cpu, task, TACT_TASK_STATE_DORMANT);
	if (task->relax_wanted)
		nuc_task_interrupted(cpu, task);
}

static int check(const struct nuc_task *task)
{
	if (task->attached)
		return -TACT_ENOTSUP;
	return task->started ? 0 : -TACT_EINVAL;
}

void nuc_task_restart(struct nuc_cpu *cpu, struct nuc_task *task)
{
	task->wants &= (uint8_t)~NUC_WANTS_RESTART;
	task->restarts = 1;
	task->doomed = 1;
	nuc_task_go_on_ending(cpu, task);
}

static int restart_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	int error = check(task);

	if (error)
		return error;
	/* It ends: a deletion replaces a restart. */
	if (task->wants & NUC_WANTS_END || (task->doomed && !task->restarts))
		return 0;
	task->arg = call->pointer;
	if (nuc_task_is_safe(task))
		task->wants |= NUC_WANTS_RESTART;
	/* One that restarts already has not begun yet. */
	else if (!task->restarts)
		nuc_task_restart(cpu, task);
	return 0;
}

/* No call: its record would be on the stack that begins anew. */
static int restart_self(void *arg)
{
	struct nuc_cpu *cpu;
	struct nuc_task *task;
	int error = nuc_task_enter(&cpu);

	if (error)
		return error;
	task = cpu->current;
	error = check(task);
	if (error || task->wants & NUC_WANTS_END) {
		if (!error)
			nuc_task_end(cpu, task, false);
	} else {
		task->arg = arg;
		nuc_task_restart(cpu, task);
	}
	nuc_leave(cpu);
	return error;
}

int tact_task_restart(tact_task_t task, void *arg)
{
	struct nuc_task_call call;
	int error = nuc_task_resolve(&task);

	if (error)
		return error;
	if (task.id && task.id == tact_task_self().id)
		return restart_self(arg);
	call.pointer = arg;
	return nuc_task_call(task, &call, NUC_CALL_CAST, restart_act);
}
