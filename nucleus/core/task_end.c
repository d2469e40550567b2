/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end of a task, in three steps that may lie on two CPUs: take everything from it (its CPU),
 * give its stack and shadow back once nothing runs on them (its CPU), tell whoever joins it and
 * free the handle (the handle's home).
 */
#include "core/server.h"
#include "core/task.h"
#include "core/trace.h"
#include "sched/sched.h"

static void retire(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_object_retire(cpu, &task->object);
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_task *task = nuc_task_of(object);

	/* Messages under way compare the handle; zero never matches. */
	object->handle = 0;
	base_list_push_back(&task->cpu_link, &cpu->free_tasks);
}

/* A signal for its last shadow may be about to be sent yet, and what was about to be is under way
 * then: in this order. */
bool nuc_task_at_rest(const struct nuc_task *task)
{
	return !(task->shadow && hal_shadow_tells(task->shadow)) &&
	       !atomic_load_explicit(&task->signal_sent, memory_order_acquire) &&
	       !atomic_load_explicit(&task->pass_sent, memory_order_acquire);
}

/* At home of what had signalled the task, which has ended. */
static void pass_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, pass_message);
	uint32_t handle = atomic_load_explicit(&task->signal, memory_order_relaxed);
	int error;
	struct nuc_object *object = nuc_lookup(cpu, handle, NUC_TYPE_ANY, &error);

	/* Release: the control block may be another task's from here on. */
	atomic_store_explicit(&task->pass_sent, 0, memory_order_release);
	if (object)
		nuc_type_table[object->type]->pass_on(cpu, object);
}

static void pass_signal_on(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint32_t handle = atomic_load_explicit(&task->signal, memory_order_relaxed);
	struct nuc_cpu *home = &nuc_cpus[nuc_handle_cpu(handle)];

	if (__builtin_expect(!handle, 1))
		return;
	task->pass_message.deliver = pass_arrive;
	atomic_store_explicit(&task->pass_sent, 1, memory_order_relaxed);
	if (home == cpu)
		pass_arrive(cpu, &task->pass_message);
	else
		nuc_message_send(home, &task->pass_message);
}

static void end_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, end_message);

	task->ended = 1;
	if (nuc_wake_first(cpu, &task->joiners, task->faulted) || task->detached || task->gone)
		retire(cpu, task);
}

/* Nothing runs on its stack any more. */
static void reap(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_cpu *home = &nuc_cpus[nuc_handle_cpu(task->object.handle)];

	if (task->stack.base)
		hal_stack_put(&task->stack);
	if (task->shadow)
		hal_shadow_destroy(task->shadow, &task->context);
	hal_context_discard(&task->context);
	nuc_slot_give(cpu, task);
	base_list_unlink(&task->cpu_link);
	cpu->status->tasks--;
	nuc_task_timers_unreserve(cpu, task->sched->timers);
	task->end_message.deliver = end_arrive;
	if (home == cpu)
		end_arrive(cpu, &task->end_message);
	else
		nuc_message_send(home, &task->end_message);
}

/*
 * What is given back in one section of what a task holds: some 60 instructions each, and those of a
 * wake-up more where somebody waits.
 */
#define PIECE      32u
#define WAITED_FOR 8u /* counts as so many */

/* A piece, and all where there is no server to go on; returns whether that was all. */
static bool give_back(struct nuc_cpu *cpu, struct nuc_task *task)
{
	for (uint32_t done = 0; done < PIECE || !cpu->server;) {
		struct base_list *first = base_list_first(&task->holds.all);
		struct nuc_hold *hold;

		if (!first)
			return true;
		hold = base_container_of(first, struct nuc_hold, link);
		done += nuc_hold_remove(&task->holds, hold) ? WAITED_FOR : 1;
		hold->orphan(cpu, hold);
	}
	return nuc_holds_nothing(&task->holds);
}

void nuc_task_endings_work(struct nuc_cpu *cpu)
{
	struct base_list *first = base_list_first(&cpu->endings);
	struct nuc_task *task;

	if (!first)
		return;
	task = base_container_of(first, struct nuc_task, run_link);
	if (!give_back(cpu, task))
		return;
	base_list_unlink(&task->run_link);
	reap(cpu, task);
}

void nuc_task_end(struct nuc_cpu *cpu, struct nuc_task *task, bool faulted)
{
	bool all;

	/* A handler's fault ends the handler. */
	if (task->server) {
		nuc_server_restart(cpu, task);
		return;
	}
	task->doomed = 1;
	if (faulted)
		task->faulted = 1;
	if (task->state & TACT_TASK_STATE_ENDED)
		return;
	/* In secondary mode or under way it ends when it arrives here. */
	if (task->state & (TACT_TASK_STATE_RELAXED | TACT_TASK_STATE_MOVING))
		return;
	if (task->wait) {
		/* Comes back through nuc_task_wait_done(). */
		nuc_call_cancel(cpu, task->wait, NUC_BREAK_END);
		return;
	}
	nuc_trace(cpu, TACT_TRACE_TASK_END, task->object.handle, task->faulted);
	nuc_task_block(cpu, task,
		       TACT_TASK_STATE_ENDED | (task->faulted ? TACT_TASK_STATE_FAULTED : 0));
	if (task->sched->detach)
		task->sched->detach(cpu, task);
	all = give_back(cpu, task);
	pass_signal_on(cpu, task);
	if (!all) {
		/* The server is another task: when it comes to this, nothing runs on its stack. */
		base_list_push_back(&task->run_link, &cpu->endings);
		nuc_server_demand(cpu, nuc_holds_demand(&task->holds).priority);
		if (cpu->current == task)
			cpu->dirty |= NUC_DIRTY_SCHEDULE;
	} else if (cpu->current == task) {
		task->saved = reap;
		cpu->dirty |= NUC_DIRTY_SCHEDULE;
	} else {
		reap(cpu, task);
	}
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
			/* A stray one's thread ends there and then. */
			(void)nuc_task_harden(task);
		}
	}
}

int nuc_task_end_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	nuc_task_end(cpu, task, false);
	return 0;
}

/* On the handle's home: nobody needs to join it any more. */
static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *task = nuc_task_of(object);

	task->detached = 1;
	if (task->ended) {
		retire(cpu, task);
		return 0;
	}
	return nuc_task_act(cpu, task, base_container_of(call, struct nuc_task_call, call),
			    nuc_task_end_act);
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

	if (!task)
		task = self;
	if (!task)
		return -TACT_EPERM;
	if (task == self) {
		NUC_CALL(struct nuc_plain_call, detach, detach_run, NUC_TYPE_TASK, task,
			 NUC_CALL_TASKS);
		(void)nuc_call(&detach.call);
		tact_task_exit();
	}
	NUC_CALL(struct nuc_task_call, args, delete_run, NUC_TYPE_TASK, task, NUC_CALL_TASKS);
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
	if (!task->ended)
		return nuc_wait(cpu, call, &task->joiners);
	retire(cpu, task);
	return result;
}

int tact_task_join(tact_task_t task, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_plain_call, args, join_run, NUC_TYPE_TASK, task,
		 NUC_CALL_WAITS | NUC_CALL_TASKS);

	if (!task || task == tact_task_self())
		return -TACT_EDEADLK;
	return nuc_call_timeout(&args.call, timeout);
}
