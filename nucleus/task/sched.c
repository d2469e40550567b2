/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control of tasks: priorities, classes, quanta. */
#include "kernel/sized.h"
#include "task/dispatch.h"
#include "task/limits.h"
#include "task/priority.h"
#include "task/run_queue.h"
#include "task/task_call.h"

static void set_base(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t priority,
		     bool keeps_ahead)
{
	bool queued = nuc_sched_queued(task);
	uint16_t old = task->priority;

	task->base_priority = (uint16_t)priority;
	task->sched_priority = nuc_sched_level(task);
	task->status->base_priority = task->base_priority;
	nuc_task_update_priority(cpu, task);
	/* The change was requested, so the task goes to the end of its new level: POSIX.1-2017,
	 * 2.8.4, SCHED_FIFO 7. */
	if (queued && task->priority < old && !keeps_ahead)
		nuc_sched_rotate(cpu, task);
}

static int priority_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	uint32_t priority = (uint32_t)call->a;
	uint32_t old = task->base_priority;
	int error = task->sched->check ? task->sched->check(cpu, &task->param, priority) : 0;

	if (error)
		return error;
	if (priority != task->base_priority)
		set_base(cpu, task, priority, call->b);
	call->b = old;
	return 0;
}

int tact_task_set_priority(tact_task_t task, uint32_t priority, uint32_t flags, uint32_t *old)
{
	struct nuc_task_call call;
	int result;

	if (!priority || priority > TACT_PRIORITY_MAX || flags & ~TACT_PRIORITY_AHEAD)
		return -TACT_EINVAL;
	call.a = priority;
	call.b = flags & TACT_PRIORITY_AHEAD;
	result = nuc_task_call(task, &call, old ? NUC_CALL_TASKS : NUC_CALL_CAST, priority_act);
	if (!result && old)
		*old = (uint32_t)call.b;
	return result;
}

static int set_sched_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	const struct nuc_class *class = nuc_class_table[call->param.sched_class];
	bool queued = nuc_sched_queued(task);
	uint16_t old = task->priority;
	int error = class->check ? class->check(cpu, &call->param, task->base_priority) : 0;

	if (error)
		return error;
	if (task->server)
		return -TACT_EPERM;
	error = nuc_timer_reserve_monotonic(cpu, class->timers);
	if (error)
		return error;
	/* The time that the task ran so far is charged to the old class. */
	if (cpu->current == task) {
		(void)nuc_sched_charge(cpu, task);
		nuc_sched_no_slice(cpu);
	}
	if (queued)
		nuc_sched_remove(cpu, task);
	if (task->sched->detach)
		task->sched->detach(cpu, task);
	nuc_timer_unreserve_monotonic(cpu, task->sched->timers);
	nuc_task_join_class(cpu, task, &call->param);
	if (nuc_sched_queued(task)) {
		nuc_sched_insert(cpu, task, false);
		if (cpu->current == task && class->begin)
			class->begin(cpu, task);
	}
	/* Last, because it may end the wait of the task and queue it. */
	if (task->priority != old || task->wait || task->state & TACT_TASK_STATE_RELAXED)
		nuc_task_spread_priority(cpu, task);
	return 0;
}

int tact_task_set_sched(tact_task_t task, const struct tact_sched_param *sched)
{
	struct nuc_task_call call;

	if (!sched || nuc_sized_read(&call.param, sizeof(*sched), sizeof(*sched), sched))
		return -TACT_EINVAL;
	if (call.param.sched_class >= NUC_SCHED_CLASSES || nuc_sched_check_slice(&call.param))
		return -TACT_EINVAL;
	return nuc_task_call(task, &call, NUC_CALL_TASKS, set_sched_act);
}

static int quantum_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	if (!task->sched->quantum)
		return -TACT_ENOTSUP;
	return task->sched->quantum(cpu, task, call->a);
}

int tact_task_set_quantum(tact_task_t task, uint64_t quantum_ns)
{
	struct nuc_task_call call;

	if (nuc_slice_check("a quantum", quantum_ns))
		return -TACT_EINVAL;
	call.a = quantum_ns;
	return nuc_task_call(task, &call, NUC_CALL_CAST, quantum_act);
}

static int get_sched_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)cpu;
	call->param = task->param;
	return 0;
}

int tact_task_get_sched(tact_task_t task, struct tact_sched_param *sched)
{
	struct nuc_task_call call;
	int result = nuc_sized_check(sched, sizeof(*sched));

	if (result)
		return result;
	result = nuc_task_call(task, &call, NUC_CALL_TASKS, get_sched_act);
	if (!result && sched)
		nuc_sized_write(sched, sizeof(*sched), &call.param, sizeof(call.param));
	return result;
}
