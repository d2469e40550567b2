/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of the program that are called when tasks have ended. The server of the home CPU of
 * the handle calls them one by one, in the order in which the tasks have ended. Until its function
 * has returned, a task keeps its handle and its joiner.
 */
#include "task/end_hook.h"

#include <tactus/data.h>

#include "call/call.h"
#include "kernel/lifecycle.h"
#include "task/end.h"
#include "task/server.h"

/* Of one CPU. */
struct end_hooks {
	struct base_list due; /* struct nuc_task.run_link; the first one is that of the work */
	struct nuc_work work; /* queued or served as long as one is due */
};

static struct end_hooks all_hooks[HAL_MAX_CPUS];

static struct nuc_task *first_of(const struct end_hooks *hooks)
{
	return base_container_of(base_list_first(&hooks->due), struct nuc_task, run_link);
}

static void run_hook(struct nuc_work *work)
{
	const struct end_hooks *hooks = base_container_of(work, struct end_hooks, work);
	/* Only hook_done() takes the first one away. */
	const struct nuc_task *task = first_of(hooks);

	task->on_end((tact_task_t){task->object.handle},
		     atomic_load_explicit(&task->data, memory_order_acquire), task->faulted != 0);
}

static void queue_first(struct nuc_cpu *cpu, struct end_hooks *hooks)
{
	/* A report of a fault names the task. */
	hooks->work.owner = &first_of(hooks)->object;
	nuc_server_queue(cpu, &hooks->work);
}

static void hook_done(struct nuc_cpu *cpu, struct nuc_work *work, bool faulted)
{
	struct end_hooks *hooks = base_container_of(work, struct end_hooks, work);
	struct nuc_task *task = first_of(hooks);

	(void)faulted;
	base_list_unlink(&task->run_link);
	task->hook_due = 0;
	nuc_task_end_told(cpu, task);
	if (!base_list_empty(&hooks->due))
		queue_first(cpu, hooks);
}

void nuc_end_hooks_init(uint32_t cpu)
{
	base_list_init(&all_hooks[cpu].due);
	nuc_work_init(&all_hooks[cpu].work, NULL, run_hook, hook_done);
}

bool nuc_task_end_due(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct end_hooks *hooks = &all_hooks[cpu->hal.index];
	bool idle = base_list_empty(&hooks->due);

	/* A stop ends the tasks that are left, and then the servers. */
	if (!task->on_end || !atomic_load_explicit(&nuc_making, memory_order_acquire))
		return false;
	task->hook_due = 1;
	base_list_push_back(&task->run_link, &hooks->due);
	if (idle)
		queue_first(cpu, hooks);
	return true;
}

struct hook_call {
	struct nuc_call call;
	void (*hook)(tact_task_t task, uint64_t data, uint32_t faulted);
};

static int set_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *task = nuc_task_of(object);

	(void)cpu;
	if (task->ended)
		return -TACT_EBUSY;
	task->on_end = base_container_of(call, struct hook_call, call)->hook;
	return 0;
}

int tact_task_on_end(tact_task_t task,
		     void (*hook)(tact_task_t task, uint64_t data, uint32_t faulted))
{
	NUC_CALL(struct hook_call, args, set_run, NUC_TYPE_TASK, task.id, NUC_CALL_TASKS);

	if (tact_same(task, TACT_SELF)) {
		args.call.handle = tact_task_self().id;
		if (!args.call.handle)
			return -TACT_EPERM;
	}
	args.hook = hook;
	return nuc_call(&args.call);
}
