/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ending tasks on request, and joining those that have ended. */
#include <tactus/task.h>

#include "call/upcall.h"
#include "call/wait.h"
#include "object/registry.h"
#include "task/end.h"
#include "task/routine.h"
#include "task/task_call.h"

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_task *task = nuc_task_of(object);

	nuc_routine_free(cpu, task);
	/* Messages that are under way compare the handle; zero never matches. */
	object->handle = 0;
	base_list_push_back(&task->cpu_link, &cpu->free_tasks);
}

void tact_task_exit(void)
{
	for (;;) {
		struct nuc_cpu *cpu = nuc_enter();
		struct nuc_task *task = cpu ? cpu->current : hal_shadow_owner();

		if (!task)
			nuc_panic("tact_task_exit() by a thread that is no task", 0, 0);
		if (cpu) {
			nuc_task_end(cpu, task, false);
			nuc_settle(cpu);
		} else {
			/* The thread of a stray task ends in this call. */
			(void)nuc_task_harden(task);
		}
	}
}

static int end_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	nuc_task_end(cpu, task, false);
	return 0;
}

/* On the home CPU of the handle: no task needs to join this one any more. */
static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *task = nuc_task_of(object);

	task->detached = 1;
	if (task->ended) {
		if (!task->hook_due)
			nuc_object_retire(cpu, &task->object);
		return 0;
	}
	return nuc_task_act(cpu, task, base_container_of(call, struct nuc_task_call, call), end_act,
			    NUC_IF_ENDED_SUCCEED);
}

const struct nuc_type_ops nuc_task_type = {
	.name = "task",
	.destroy = destroy,
	.release = release,
};

static int delete_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	return destroy(cpu, object, call);
}

static int detach_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)cpu;
	(void)call;
	nuc_task_of(object)->detached = 1;
	return 0;
}

int tact_task_delete(tact_task_t task)
{
	tact_task_t self = tact_task_self();

	if (tact_same(task, TACT_SELF)) {
		if (!self.id)
			return -TACT_EPERM;
		task = self;
	}
	if (task.id && task.id == self.id) {
		NUC_CALL(struct nuc_plain_call, detach, detach_run, NUC_TYPE_TASK, task.id,
			 NUC_CALL_TASKS);
		(void)nuc_call(&detach.call);
		tact_task_exit();
	}
	NUC_CALL(struct nuc_task_call, args, delete_run, NUC_TYPE_TASK, task.id, NUC_CALL_TASKS);
	return nuc_call(&args.call);
}

static int join_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *task = nuc_task_of(object);
	int result = task->faulted;

	if (task->detached)
		return -TACT_EINVAL;
	if (task->joiners.count)
		return -TACT_EBUSY;
	if (!task->ended || task->hook_due)
		return nuc_wait(cpu, call, &task->joiners);
	nuc_object_retire(cpu, &task->object);
	return result;
}

int tact_task_join(tact_task_t task, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_plain_call, args, join_run, NUC_TYPE_TASK, task.id,
		 NUC_CALL_WAITS | NUC_CALL_TASKS);

	if (tact_same(task, TACT_SELF) || (task.id && task.id == tact_task_self().id))
		return -TACT_EDEADLK;
	return nuc_call_timeout(&args.call, timeout);
}
