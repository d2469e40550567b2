/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Migration. The control block travels as a message once its context is complete. A wait stays
 * where its object is; only the address of its answer changes.
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
	nuc_task_timers_unreserve(cpu, task->sched->timers);
	task->move_message.deliver = arrive;
	/* Release: whoever sees the new CPU sees the state MOVING. */
	atomic_store_explicit(&task->cpu, to, memory_order_release);
	nuc_message_send(to, &task->move_message);
}

static void depart_saved(struct nuc_cpu *cpu, struct nuc_task *task)
{
	/* It was leaving for its shadow already. */
	if (task->state & TACT_TASK_STATE_RELAXED)
		nuc_task_run_on_shadow(cpu, task);
	depart(cpu, task, task->move_to);
}

static void arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, move_message);

	base_list_push_back(&task->cpu_link, &cpu->tasks);
	cpu->status->tasks++;
	nuc_slot_take(cpu, task);
	/* The room that was made for it is that of any class. */
	nuc_timer_unreserve_monotonic(cpu, NUC_CLASS_TIMERS - task->sched->timers);
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
	/* One that is not held any more has given its timer back. */
	if (call->holder && !call->timer_reserved) {
		if (nuc_timer_reserve(cpu))
			return -TACT_ENOMEM;
		call->timer_reserved = 1;
	}
	/* What runs here is no reason any more to let its time pass by. */
	call->timer.level = NUC_LEVELS;
	cpu->dirty |= NUC_DIRTY_SHOT;
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
	nuc_task_block(cpu, task, TACT_TASK_STATE_MOVING);
	if (task->sched->detach)
		task->sched->detach(cpu, task);
	task->move_to = to;
	call->b = 1;
	if (cpu->current == task)
		task->saved = depart_saved;
	else
		depart(cpu, task, to);
	return 0;
}

static int reserve_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	(void)call;
	return nuc_task_timers_reserve(cpu, NUC_CLASS_TIMERS);
}

static int unreserve_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	(void)call;
	nuc_task_timers_unreserve(cpu, NUC_CLASS_TIMERS);
	return 0;
}

static int room(uint32_t cpu, int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *))
{
	NUC_CALL(struct nuc_plain_call, args, run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_TASKS);

	return nuc_call_create(&args.call);
}

int tact_task_migrate(tact_task_t task, uint32_t cpu)
{
	struct nuc_task_call call;
	int result;

	if (cpu >= nuc_cpu_count)
		return nuc_cpu_count ? -TACT_ENXIO : -TACT_EPERM;
	/* Room for its timers first, so that it never arrives where it cannot stay. */
	result = room(cpu, reserve_run);
	if (result)
		return result;
	call.a = cpu;
	call.b = 0;
	result = nuc_task_call(task, &call, NUC_CALL_TASKS, migrate_act);
	if (!call.b)
		(void)room(cpu, unreserve_run);
	return result;
}
