/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls that act on a task on its CPU. A handle leads to its home CPU, which knows the control
 * block; the call then follows the task to the CPU on which the task runs. Control blocks are
 * type-stable, so that a call that comes too late finds another handle than its own. A task that
 * has ended is served on the home CPU of its handle.
 */
#include "task/task_call.h"

#include "call/cast.h"

_Static_assert(sizeof(struct nuc_task_call) <= NUC_CAST_BYTES,
	       "the largest call that is cast fits");

static struct nuc_task_call *args_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_task_call, call);
}

/* The task has ended meanwhile. */
static int too_late(const struct nuc_task_call *args, int error)
{
	return args->if_ended == NUC_IF_ENDED_SUCCEED ? 0 : error;
}

static int act_local(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *args)
{
	if (task->state & TACT_TASK_STATE_ENDED)
		return too_late(args, -TACT_EBUSY);
	return args->act(cpu, task, args);
}

void nuc_task_call_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, message);
	struct nuc_task_call *args = args_of(call);
	struct nuc_task *task = args->task;
	struct nuc_cpu *at = atomic_load_explicit(&task->cpu, memory_order_acquire);
	uint32_t state = __atomic_load_n(&task->state, __ATOMIC_RELAXED);
	int result = too_late(args, -TACT_EIDRM);

	/*
	 * Read the handle last: if it is still that of the call, the fields read before belong to
	 * the same task. The home CPU may meanwhile reuse a control block whose task ended here,
	 * but not one whose task has not. Pairs with the fence in block_get().
	 */
	atomic_thread_fence(memory_order_acquire);
	if (__atomic_load_n(&task->object.handle, __ATOMIC_RELAXED) == call->handle) {
		/* The task has moved on, or is still on its way to this CPU. */
		if (at != cpu || state & TACT_TASK_STATE_MOVING) {
			nuc_message_send(at, message);
			return;
		}
		/* The message about its end is on its way to the home CPU: go there, behind it. */
		if (state & TACT_TASK_STATE_ENDED && args->if_ended == NUC_IF_ENDED_SERVE) {
			message->deliver = nuc_call_arrive;
			nuc_message_send(&nuc_cpus[nuc_handle_cpu(call->handle)], message);
			return;
		}
		result = state & TACT_TASK_STATE_ENDED ? too_late(args, -TACT_EBUSY)
						       : act_local(cpu, task, args);
		if (result == NUC_WAITING)
			return;
	}
	if (args->end)
		args->end(cpu, args, result);
	else
		nuc_call_complete(cpu, call, result);
}

int nuc_task_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *args,
		 int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *),
		 enum nuc_if_ended if_ended)
{
	struct nuc_cpu *at = atomic_load_explicit(&task->cpu, memory_order_acquire);

	args->act = act;
	args->end = NULL;
	args->if_ended = if_ended;
	args->task = task;
	if (at == cpu && !(task->state & TACT_TASK_STATE_MOVING))
		return act_local(cpu, task, args);
	return nuc_call_forward(cpu, &args->call, at, nuc_task_call_arrive);
}

static int run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *task = nuc_task_of(object);
	struct nuc_task_call *args = args_of(call);

	if (task->ended)
		return args->if_ended == NUC_IF_ENDED_SERVE ? args->act(cpu, task, args)
							    : -TACT_EBUSY;
	return nuc_task_act(cpu, task, args, args->act, args->if_ended);
}

int nuc_task_resolve(tact_task_t *task)
{
	if (!tact_same(*task, TACT_SELF))
		return 0;
	*task = tact_task_self();
	return task->id ? 0 : -TACT_EPERM;
}

static int make(tact_task_t task, struct nuc_task_call *call, unsigned flags,
		int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *),
		enum nuc_if_ended if_ended)
{
	int error = nuc_task_resolve(&task);

	if (error)
		return error;
	nuc_call_init(&call->call, run, NUC_TYPE_TASK, task.id, flags, sizeof(*call));
	call->act = act;
	call->if_ended = if_ended;
	return nuc_call(&call->call);
}

int nuc_task_call(tact_task_t task, struct nuc_task_call *call, unsigned flags,
		  int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *))
{
	return make(task, call, flags, act, NUC_IF_ENDED_REFUSE);
}

int nuc_task_query(tact_task_t task, struct nuc_task_call *call,
		   int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *))
{
	return make(task, call, NUC_CALL_TASKS, act, NUC_IF_ENDED_SERVE);
}
