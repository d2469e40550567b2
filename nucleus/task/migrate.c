/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Migration. The control block travels as a message once the context of the task is saved. A wait
 * stays where its object is; only the CPU to which the answer goes changes.
 */
#include "call/wait.h"
#include "kernel/trace.h"
#include "object/growth.h"
#include "task/dispatch.h"
#include "task/end.h"
#include "task/mode.h"
#include "task/ready.h"
#include "task/status.h"
#include "task/task_call.h"
#include "task/timers.h"

static void arrive(struct nuc_cpu *cpu, struct nuc_message *message);

static void depart(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_cpu *to)
{
	nuc_slot_give(cpu, task);
	base_list_unlink(&task->cpu_link);
	cpu->status->tasks--;
	nuc_task_timers_unreserve(cpu, task->sched->timers);
	task->move_message.deliver = arrive;
	/* Release: a CPU that sees the new CPU sees the state MOVING, too. */
	atomic_store_explicit(&task->cpu, to, memory_order_release);
	nuc_message_send(to, &task->move_message);
}

static void depart_saved(struct nuc_cpu *cpu, struct nuc_task *task)
{
	/* The task was on its way to its shadow already. */
	if (task->state & TACT_TASK_STATE_RELAXED)
		nuc_task_run_on_shadow(cpu, task);
	depart(cpu, task, &nuc_cpus[task->move_to]);
}

static void arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, move_message);

	base_list_push_back(&task->cpu_link, &cpu->tasks);
	cpu->status->tasks++;
	nuc_slot_take(cpu, task);
	/* Room was reserved for as many timers as any class has. */
	nuc_timer_unreserve_monotonic(cpu, NUC_CLASS_TIMERS - task->sched->timers);
	if (task->sched->attach)
		task->sched->attach(cpu, task);
	nuc_trace(cpu, TACT_TRACE_MIGRATE, task->object.handle, cpu->hal.index);
	nuc_task_unblock(cpu, task, TACT_TASK_STATE_MOVING);
	if (task->doomed)
		nuc_task_go_on_ending(cpu, task);
}

/* A call in which the task waits on this CPU becomes a call on another CPU. */
static int leave_wait(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to)
{
	if (!call || call->sent)
		return 0;
	/* A call that is not held any more has given its timer back. */
	if (call->holder && !call->timer_reserved) {
		if (nuc_timer_reserve(cpu))
			return -TACT_ENOMEM;
		call->timer_reserved = 1;
	}
	/* The task that runs here has no influence on it any more: its timeout is served at its
	 * instant. */
	call->timer.level = NUC_LEVELS;
	cpu->dirty |= NUC_DIRTY_SHOT;
	call->sent = 1;
	call->origin = to;
	if (call->holder)
		nuc_wait_goes_cross_cpu(cpu, call);
	return 0;
}

/* The room for its timers is on the other CPU. */
static int migrate_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	struct nuc_cpu *to = &nuc_cpus[call->a];
	int error;

	if (to == cpu)
		return 0;
	if (task->sched->bound || task->server || nuc_task_restarting(task))
		return -TACT_EBUSY;
	error = leave_wait(cpu, task->wait, to);
	if (error) {
		call->pointer = cpu;
		return error;
	}
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	nuc_task_block(cpu, task, TACT_TASK_STATE_MOVING);
	task->woken_ns = 0;
	if (task->sched->detach)
		task->sched->detach(cpu, task);
	task->move_to = (uint8_t)call->a;
	call->b = 1;
	if (cpu->current == task)
		task->saved = depart_saved;
	else
		depart(cpu, task, to);
	return 0;
}

/* On the CPU to which the task was to move. */
static void release_reserved(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, message);

	nuc_task_timers_unreserve(cpu, NUC_CLASS_TIMERS);
	nuc_call_complete(cpu, call, call->result);
}

/* The task has left, and keeps the room; or the room is given back. */
static void migrate_end(struct nuc_cpu *cpu, struct nuc_task_call *call, int result)
{
	if (call->b) {
		nuc_call_complete(cpu, &call->call, result);
		return;
	}
	call->call.result = result;
	call->call.message.deliver = release_reserved;
	nuc_message_send(&nuc_cpus[call->a], &call->call.message);
}

/*
 * On the CPU to which the task is to move: reserve room for its timers, so that the task can stay
 * when it arrives. The call keeps the room, and gives it back if the task does not move, because
 * the caller may have to end at any moment.
 */
static void reserve(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, message);
	struct nuc_task_call *args = base_container_of(call, struct nuc_task_call, call);
	int error = nuc_task_timers_reserve(cpu, NUC_CLASS_TIMERS);

	if (error) {
		args->pointer = cpu;
		nuc_call_complete(cpu, call, error);
		return;
	}
	args->act = migrate_act;
	args->end = migrate_end;
	message->deliver = nuc_task_call_arrive;
	nuc_message_send(atomic_load_explicit(&args->task->cpu, memory_order_acquire), message);
}

static int reserve_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	struct nuc_cpu *to = &nuc_cpus[call->a];

	if (to == cpu)
		return 0;
	if (task->sched->bound || task->server || nuc_task_restarting(task))
		return -TACT_EBUSY;
	if (!call->call.sent)
		return nuc_call_forward(cpu, &call->call, to, reserve);
	/* The call is under way already, although its caller may be on this CPU. */
	call->call.message.deliver = reserve;
	nuc_message_send(to, &call->call.message);
	return NUC_WAITING;
}

/* full: with -TACT_ENOMEM, the CPU that has no room: the new one, or the one where the task
 * waits. */
static int migrate(tact_task_t task, uint32_t cpu, const struct nuc_cpu **full)
{
	struct nuc_task_call call;
	int result;

	call.a = cpu;
	call.b = 0;
	call.pointer = NULL;
	result = nuc_task_call(task, &call, NUC_CALL_TASKS, reserve_act);
	*full = call.pointer;
	return result;
}

static int try_reserve(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	int error = nuc_task_timers_reserve(cpu, NUC_CLASS_TIMERS);

	(void)object;
	(void)call;
	if (!error)
		nuc_task_timers_unreserve(cpu, NUC_CLASS_TIMERS);
	return error;
}

static int grow(const struct nuc_cpu *full)
{
	NUC_CALL(struct nuc_plain_call, args, try_reserve, NUC_TYPE_CPU,
		 nuc_handle_of_cpu(full->hal.index), NUC_CALL_TASKS);

	return nuc_call_create(&args.call);
}

int tact_task_migrate(tact_task_t task, uint32_t cpu)
{
	const struct nuc_cpu *full;
	int result;

	if (cpu >= nuc_cpu_count)
		return nuc_cpu_count ? -TACT_ENXIO : -TACT_EPERM;
	result = migrate(task, cpu, &full);
	/* A Linux thread can let each of the two pools grow. */
	for (int pool = 0; pool < 2; pool++)
		if (result == -TACT_ENOMEM && tact_mode() == TACT_MODE_NONE && full && !grow(full))
			result = migrate(task, cpu, &full);
	return result;
}
