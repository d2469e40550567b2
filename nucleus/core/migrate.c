/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Migration. The control block travels as a message once its context is complete. A wait stays where its
 * object is; only the address of its answer changes.
 */
#include "core/task.h"
#include "core/trace.h"
#include "sched/sched.h"

static void arrive(struct nuc_cpu *cpu, struct nuc_message *message);

static void depart(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_cpu *to)
{
	nuc_slot_give(cpu, task);
	base_list_unlink(&task->cpu_link);
	cpu->status->tasks--;
	nuc_task_timers_unreserve(cpu);
	task->move_message.deliver = arrive;
	/* Release: whoever sees the new CPU sees the state MOVING. */
	atomic_store_explicit(&task->cpu, to, memory_order_release);
	nuc_message_send(to, &task->move_message);
}

static void depart_saved(struct nuc_cpu *cpu, struct nuc_task *task)
{
	depart(cpu, task, task->move_to);
}

static void arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, move_message);

	base_list_push_back(&task->cpu_link, &cpu->tasks);
	cpu->status->tasks++;
	nuc_slot_take(cpu, task);
	if (nuc_task_timers_reserve(cpu)) {
		struct nuc_cpu *back = task->move_from;

		/* No room here, and where it came from it had some. */
		nuc_assert(back);
		task->move_from = NULL;
		nuc_slot_give(cpu, task);
		base_list_unlink(&task->cpu_link);
		cpu->status->tasks--;
		atomic_store_explicit(&task->cpu, back, memory_order_release);
		nuc_message_send(back, &task->move_message);
		return;
	}
	if (task->sched->attach)
		task->sched->attach(cpu, task);
	nuc_trace(cpu, TACT_TRACE_MIGRATE, task->object.handle, cpu->hal.index);
	nuc_task_unblock(cpu, task, TACT_TASK_STATE_MOVING);
	if (task->doomed)
		nuc_task_end(cpu, task, task->faulted);
}

/* What the task waits in on this CPU becomes, to it, a call on another CPU. */
static int leave_wait(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to)
{
	if (!call || call->sent)
		return 0;
	if (!call->timer_reserved) {
		if (nuc_timer_reserve(cpu))
			return -TACT_ENOMEM;
		call->timer_reserved = 1;
	}
	call->sent = 1;
	call->origin = to;
	return 0;
}

static int migrate_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	struct nuc_cpu *to = &nuc_cpus[call->a];
	int error;

	if (to == cpu)
		return 0;
	if (task->sched->bound || task->server)
		return -TACT_EBUSY;
	error = leave_wait(cpu, task->wait, to);
	if (error)
		return error;
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	if (task->sched->detach)
		task->sched->detach(cpu, task);
	task->move_from = cpu;
	task->move_to = to;
	nuc_task_block(cpu, task, TACT_TASK_STATE_MOVING);
	if (cpu->current == task)
		task->saved = depart_saved;
	else
		depart(cpu, task, to);
	return 0;
}

int tact_task_migrate(tact_task_t task, uint32_t cpu)
{
	struct nuc_task_call call;

	if (cpu >= nuc_cpu_count)
		return nuc_cpu_count ? -TACT_ENXIO : -TACT_EPERM;
	call.a = cpu;
	return nuc_task_call(task, &call, NUC_CALL_TASKS, migrate_act);
}
