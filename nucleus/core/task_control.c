/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Control of tasks: priorities, classes, yielding, inquiry.
 */
#include "base/string.h"
#include "core/task.h"
#include "sched/sched.h"

static int unblock_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	if (!task->wait)
		return -TACT_EAGAIN;
	nuc_call_cancel(cpu, task->wait, NUC_BREAK_UNBLOCK);
	return 0;
}

int tact_task_unblock(tact_task_t task)
{
	struct nuc_task_call call;

	return nuc_task_call(task, &call, NUC_CALL_CAST, unblock_act);
}

static void set_base(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t priority,
		     bool keeps_ahead)
{
	bool queued = nuc_sched_queued(task);
	uint16_t old = task->priority;

	task->base_priority = (uint16_t)priority;
	task->sched_priority = nuc_sched_level(task);
	task->status->base_priority = task->base_priority;
	nuc_task_update_priority(cpu, task);
	/* Asked for, so it goes to the end of its new level: POSIX.1-2017, 2.8.4, SCHED_FIFO 7. */
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

static int set_priority(tact_task_t task, uint32_t priority, bool keeps_ahead, uint32_t *old)
{
	struct nuc_task_call call;
	int result;

	if (!priority || priority > TACT_PRIO_MAX)
		return -TACT_EINVAL;
	call.a = priority;
	call.b = keeps_ahead;
	result = nuc_task_call(task, &call, old ? NUC_CALL_TASKS : NUC_CALL_CAST, priority_act);
	if (!result && old)
		*old = (uint32_t)call.b;
	return result;
}

int tact_task_set_priority(tact_task_t task, uint32_t priority, uint32_t *old)
{
	return set_priority(task, priority, false, old);
}

int tact_task_change_priority(tact_task_t task, uint32_t priority, uint32_t *old)
{
	return set_priority(task, priority, true, old);
}

static int set_sched_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	const struct nuc_class *class = nuc_class_table[call->param.sched_class];
	bool queued = nuc_sched_queued(task);
	int error = class->check ? class->check(cpu, &call->param, task->base_priority) : 0;

	if (error)
		return error;
	if (task->server)
		return -TACT_EPERM;
	error = nuc_timer_reserve_monotonic(cpu, class->timers);
	if (error)
		return error;
	/* What it ran so far was under the old class. */
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
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
	return 0;
}

int tact_task_set_sched(tact_task_t task, const struct tact_sched_param *sched)
{
	struct nuc_task_call call;

	if (!sched || (unsigned)sched->sched_class >= TACT_SCHED_CLASSES)
		return -TACT_EINVAL;
	call.param = *sched;
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
	int result = nuc_task_call(task, &call, NUC_CALL_TASKS, get_sched_act);

	if (!result && sched)
		*sched = call.param;
	return result;
}

static int flags_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)cpu;
	if (!task->leaves)
		task->flags = (task->flags | (uint32_t)call->a) & ~(uint32_t)call->b;
	return 0;
}

int tact_task_set_flags(tact_task_t task, uint32_t set, uint32_t clear)
{
	struct nuc_task_call call;

	if ((set | clear) & ~(TACT_TASK_NO_LINUX | TACT_TASK_WARN | TACT_TASK_SIGNAL))
		return -TACT_EINVAL;
	call.a = set;
	call.b = clear;
	return nuc_task_call(task, &call, NUC_CALL_CAST, flags_act);
}

static int yield_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	if (task->sched->yield)
		task->sched->yield(cpu, task);
	/* Away from its handle's home it waits for this very call, and comes back at the end. */
	else if (nuc_sched_queued(task))
		nuc_sched_rotate(cpu, task);
	return 0;
}

int tact_task_yield(void)
{
	struct nuc_task_call call;

	if (tact_mode() == TACT_MODE_HANDLER)
		return -TACT_EPERM;
	return nuc_task_call(TACT_SELF, &call, NUC_CALL_TASKS, yield_act);
}

static int lock_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	if (task->lock_count == UINT16_MAX)
		return -TACT_EOVERFLOW;
	task->lock_count++;
	/* Away from its handle's home it waits for this very call: its lock holds when it is back.
	 */
	if (cpu->current == task)
		cpu->locker = task;
	return 0;
}

static int unlock_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	if (!task->lock_count)
		return -TACT_EINVAL;
	if (!--task->lock_count && cpu->locker == task) {
		cpu->locker = NULL;
		cpu->dirty |= NUC_DIRTY_SCHEDULE;
	}
	return 0;
}

int tact_task_lock_scheduler(void)
{
	struct nuc_task_call call;

	return nuc_task_call(TACT_SELF, &call, NUC_CALL_TASKS, lock_act);
}

int tact_task_unlock_scheduler(void)
{
	struct nuc_task_call call;

	return nuc_task_call(TACT_SELF, &call, NUC_CALL_TASKS, unlock_act);
}

int nuc_task_inquire_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	struct tact_task_info *info = call->pointer;
	const struct tact_status_task *status = task->status;
	bool ended = task->state & TACT_TASK_STATE_ENDED;

	if (!info)
		return 0;
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	base_fill(info, 0, sizeof(*info));
	base_copy(info->name, status->name, sizeof(info->name));
	info->base_priority = task->base_priority;
	info->priority = task->priority;
	info->sched_class = (uint32_t)task->param.sched_class;
	info->cpu = status->cpu;
	info->state = task->state;
	info->suspend_count = task->suspend_count;
	info->waits_for = ended ? 0 : status->waits_for;
	info->linux_tid = ended ? 0 : status->linux_tid;
	info->run_ns = hal_ticks_to_ns(status->run_ticks);
	info->switches = status->switches;
	info->mode_switches = status->mode_switches;
	info->overruns = status->overruns;
	info->deadlines_missed = status->deadlines_missed;
	info->faults = status->faults;
	info->stack_bytes = task->stack.bytes;
	info->stack_used_bytes = task->stack.base && !ended ? hal_stack_used(&task->stack) : 0;
	info->release.ns = task->period_ns && !ended ? task->release_ns : 0;
	return 0;
}

int tact_task_inquire(tact_task_t task, struct tact_task_info *info)
{
	struct nuc_task_call call;

	call.pointer = info;
	return nuc_task_call(task, &call, NUC_CALL_TASKS, nuc_task_inquire_act);
}
