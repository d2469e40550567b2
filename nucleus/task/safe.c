/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletion safety. The CPU of a task counts what protects it, and keeps the order to end it as
 * NUC_WANTS_END. So the order is carried out at the first moment at which nothing protects the
 * task, in its own context, before any of its code.
 */
#include "task/safe.h"

#include <tactus/safe.h>

#include "kernel/lifecycle.h"
#include "task/deleters.h"
#include "task/end.h"
#include "task/mode.h"
#include "task/task_call.h"

_Static_assert(TACT_SAFE_MAX == UINT16_MAX, "nuc_task.safe_count");

/* Result of an order to a safe task. */
#define ORDERED 1

static int count_up(const struct nuc_cpu *cpu)
{
	if (cpu->in_handler)
		return -TACT_EPERM;
	if (cpu->current->safe_count == TACT_SAFE_MAX)
		return -TACT_EOVERFLOW;
	cpu->current->safe_count++;
	return 0;
}

int tact_task_safe(void)
{
	struct nuc_cpu *cpu;
	int result = nuc_task_enter(&cpu);

	if (result)
		return result;
	result = count_up(cpu);
	nuc_task_leave(cpu);
	return result;
}

static int count_down(struct nuc_cpu *cpu)
{
	if (cpu->in_handler)
		return -TACT_EPERM;
	if (!cpu->current->safe_count)
		return -TACT_EINVAL;
	cpu->current->safe_count--;
	nuc_task_mark(cpu, cpu->current);
	return 0;
}

int tact_task_unsafe(void)
{
	struct nuc_cpu *cpu;
	int result = nuc_task_enter(&cpu);

	if (result)
		return result;
	result = count_down(cpu);
	nuc_task_leave(cpu);
	return result;
}

/* On the CPU of the task. */
static int order_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	/* The end of a doomed task is decided. A restart is not its end. */
	if (!nuc_task_is_safe(task) || (task->doomed && !task->restarts)) {
		nuc_task_end(cpu, task, false);
		return 0;
	}
	if (call->call.timeout.kind == TACT_TIMEOUT_NOWAIT)
		return -TACT_EAGAIN;
	task->wants = (uint8_t)((task->wants & ~NUC_WANTS_RESTART) | NUC_WANTS_END);
	return ORDERED;
}

/* On the home CPU of the handle. A task that may be refused keeps its joiner. */
static int order_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *task = nuc_task_of(object);

	if (task->ended)
		return 0;
	if (call->timeout.kind != TACT_TIMEOUT_NOWAIT)
		task->detached = 1;
	return nuc_task_act(cpu, task, base_container_of(call, struct nuc_task_call, call),
			    order_act, NUC_IF_ENDED_SUCCEED);
}

static int await_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *task = nuc_task_of(object);

	/* A stop has doomed all tasks, also those that never come back from secondary mode. */
	if ((task->ended && !task->hook_due) ||
	    !atomic_load_explicit(&nuc_making, memory_order_acquire))
		return 0;
	return nuc_deleters_wait(cpu, call, task);
}

static int await_end(tact_task_t task, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_plain_call, args, await_run, NUC_TYPE_TASK, task.id,
		 NUC_CALL_WAITS | NUC_CALL_TASKS);
	int result = nuc_call_timeout(&args.call, timeout);

	/* The handle is stale: the task has ended. */
	return result == -TACT_EIDRM ? 0 : result;
}

static int order(tact_task_t task, tact_timeout_t timeout)
{
	struct nuc_task_call args;

	nuc_call_init(&args.call, order_run, NUC_TYPE_TASK, task.id, NUC_CALL_TASKS, sizeof(args));
	return nuc_call_timeout(&args.call, timeout);
}

int tact_task_delete_unsafe(tact_task_t task, tact_timeout_t timeout)
{
	int result = nuc_task_resolve(&task);

	if (result)
		return result;
	if (timeout.kind > TACT_TIMEOUT_WALL)
		return -TACT_EINVAL;
	if (task.id && task.id == tact_task_self().id)
		return tact_task_delete(task);
	/* Before the order, so that the time for it counts. */
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	result = order(task, timeout);
	if (result == ORDERED)
		return await_end(task, timeout);
	/* Nobody joins it any more; also if it had ended before. */
	if (!result)
		(void)tact_task_delete(task);
	return result;
}
