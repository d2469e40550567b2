/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control of tasks: unblocking, flags, yielding, inquiry. */
#include "base/string.h"
#include "call/update.h"
#include "call/wait.h"
#include "kernel/sized.h"
#include "task/dispatch.h"
#include "task/run_queue.h"
#include "task/task_call.h"

static int unblock_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	if (!task->wait || nuc_call_is_over(cpu, task->wait))
		return -TACT_ESRCH;
	nuc_call_cancel(cpu, task->wait, NUC_BREAK_UNBLOCK, (int)(int64_t)call->a);
	return 0;
}

int tact_task_unblock(tact_task_t task, int code)
{
	struct nuc_task_call call;

	if (code < -TACT_ERROR_MAX || code > 0 || code == -TACT_EOWNERDEAD ||
	    code == -TACT_ENOTRECOVERABLE)
		return -TACT_EINVAL;
	call.a = (uint64_t)(int64_t)(code ? code : -TACT_ECANCELED);
	return nuc_task_call(task, &call, NUC_CALL_CAST, unblock_act);
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
	/* A task that is not on the home CPU of its handle waits for this call now, and is queued
	 * at the end of its level after it. */
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
	/* A task that is not on the home CPU of its handle waits for this call now: its lock has
	 * effect when the CPU switches to it. */
	if (cpu->current == task)
		cpu->locker = task;
	return 0;
}

static int unlock_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	if (!task->lock_count)
		return -TACT_ESRCH;
	if (!--task->lock_count && !task->handler_locks && cpu->locker == task) {
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

/* The caller gets the stack, and finds how much of it was used. */
struct inquiry {
	struct tact_task_info *info;
	struct hal_stack stack; /* base NULL: the task has none, or has none any more */
};

/* A call that was sent belongs to another CPU, and so has another holder. */
static bool waits_first(const struct nuc_cpu *cpu, const struct nuc_task *task)
{
	const struct nuc_call *wait = task->wait;

	return wait && !wait->sent && wait->holder == cpu && wait->queue &&
	       nuc_waitq_first_open(wait->queue) == wait;
}

static int inquire_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	struct inquiry *inquiry = call->pointer;
	struct tact_task_info *info = inquiry->info;
	const struct tact_status_task *status = task->status;
	bool ended = task->state & TACT_TASK_STATE_ENDED;

	inquiry->stack = (struct hal_stack){.base = NULL};
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
	info->waits_for.id = ended ? 0 : status->waits_for;
	info->linux_tid = ended ? 0 : status->linux_tid;
	info->run_ns = hal_ticks_to_ns(status->run_ticks);
	info->switches = status->switches;
	info->mode_switches = status->mode_switches;
	info->overruns = status->overruns;
	info->deadlines_missed = status->deadlines_missed;
	info->faults = status->faults;
	info->stack_bytes = task->stack.bytes;
	if (!ended)
		inquiry->stack = task->stack;
	info->release.ns = task->period.ns && !ended ? task->period.release_ns : 0;
	info->waits_first = !ended && waits_first(cpu, task);
	return 0;
}

static int inquire(tact_task_t task, struct inquiry *inquiry)
{
	struct nuc_task_call call;

	call.pointer = inquiry;
	return nuc_task_query(task, &call, inquire_act);
}

static int get_priority_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)cpu;
	call->a = task->base_priority;
	call->b = task->priority;
	return 0;
}

int tact_task_get_priority(tact_task_t task, uint32_t *base, uint32_t *effective)
{
	struct nuc_task_call call;
	int result = nuc_task_query(task, &call, get_priority_act);

	if (result)
		return result;
	if (base)
		*base = (uint32_t)call.a;
	if (effective)
		*effective = (uint32_t)call.b;
	return 0;
}

/* A stop ends the tasks and waits for Linux threads that are counted, before it unmaps the
 * stacks. */
static int look_at_stack(const struct hal_stack *stack, size_t *used_bytes)
{
	bool from_linux = tact_mode() != TACT_MODE_PRIMARY;

	if (from_linux && nuc_linux_begin())
		return -TACT_EPERM;
	*used_bytes = hal_stack_used(stack);
	if (from_linux)
		nuc_linux_end();
	return 0;
}

/*
 * A stack may have gigabytes, so the caller reads it, and no CPU waits for that. Meanwhile the task
 * may end, and its stack may be given to another task. The task is therefore asked again whether it
 * still has the stack.
 */
static int inquire_known(tact_task_t task, struct tact_task_info *known)
{
	struct inquiry inquiry = {.info = known};
	size_t used_bytes = 0;
	int result = inquire(task, &inquiry);

	if (result || !inquiry.stack.base)
		return result;
	result = look_at_stack(&inquiry.stack, &used_bytes);
	if (!result)
		result = inquire(task, &inquiry);
	if (!result && inquiry.stack.base)
		known->stack_used_bytes = used_bytes;
	return result;
}

int tact_task_inquire(tact_task_t task, struct tact_task_info *info)
{
	struct inquiry handle_only = {.info = NULL};
	struct tact_task_info known;
	int result = nuc_sized_check(info, sizeof(*info));

	if (result)
		return result;
	if (!info)
		return inquire(task, &handle_only);
	result = inquire_known(task, &known);
	if (!result)
		nuc_sized_write(info, sizeof(*info), &known, sizeof(known));
	return result;
}
