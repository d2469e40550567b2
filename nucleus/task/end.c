/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end of a task, in three steps on up to two CPUs. The CPU of the task takes everything from
 * it. The same CPU gives its stack and shadow back when nothing runs on them any more. The home CPU
 * of the handle calls the program's function for the end (end_hook.c), wakes the task that joins,
 * and frees the handle.
 */
#include "task/end.h"

#include "call/update.h"
#include "call/wait.h"
#include "kernel/handle_table.h"
#include "kernel/trace.h"
#include "object/registry.h"
#include "task/deleters.h"
#include "task/ready.h"
#include "task/server_level.h"
#include "task/status.h"
#include "task/timers.h"

static void retire(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_object_retire(cpu, &task->object);
}

/* In this order: a signal that its shadow was about to report at the first test is under way at the
 * second. */
bool nuc_task_at_rest(const struct nuc_task *task)
{
	return !(task->shadow && hal_shadow_may_signal(task->shadow)) &&
	       !atomic_load_explicit(&task->signal_sent, memory_order_acquire) &&
	       !atomic_load_explicit(&task->pass_sent, memory_order_acquire);
}

/* On the home CPU of the condition that had signalled the ended task. */
static void pass_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, pass_message);
	uint32_t handle = atomic_load_explicit(&task->signal, memory_order_relaxed);
	int error;
	struct nuc_object *object = nuc_lookup(cpu, handle, NUC_TYPE_ANY, &error);

	/* Release: the control block may belong to another task from here on. */
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

void nuc_task_end_told(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (__builtin_expect(task->awaited, 0))
		nuc_deleters_tell(cpu, task);
	if (nuc_wake_first(cpu, &task->joiners, task->faulted) || task->detached || task->gone)
		retire(cpu, task);
}

static void end_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, end_message);

	task->ended = 1;
	if (!nuc_task_end_due(cpu, task))
		nuc_task_end_told(cpu, task);
}

/* Nothing runs on the stack of the task any more. */
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
 * How many owned locks pass on in one section: some 60 instructions each, and those of a wake-up
 * more if a task waits for the lock.
 */
#define PIECE      32u
#define WAITED_FOR 8u /* a lock that tasks wait for counts as so many */

/* Pass on a piece, or all if there is no server to continue. Returns whether nothing is left. */
static bool give_back(struct nuc_cpu *cpu, struct nuc_task *task)
{
	for (uint32_t done = 0; done < PIECE || !cpu->server.task;) {
		struct base_list *first = base_list_first(&task->owned_locks.all);
		struct nuc_owned_lock *owned_lock;

		if (!first)
			return true;
		owned_lock = base_container_of(first, struct nuc_owned_lock, link);
		done += nuc_owned_lock_remove(&task->owned_locks, owned_lock) ? WAITED_FOR : 1;
		owned_lock->orphan(cpu, owned_lock);
	}
	return nuc_owned_locks_empty(&task->owned_locks);
}

/* A task that restarts needs the memory of the message again: it waits until that has arrived. */
static bool is_passed(const struct nuc_task *task)
{
	return !task->restarts || !atomic_load_explicit(&task->pass_sent, memory_order_acquire);
}

static void finish(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (task->restarts)
		nuc_task_begin_anew(cpu, task);
	else
		reap(cpu, task);
}

void nuc_task_endings_work(struct nuc_cpu *cpu)
{
	struct base_list *first = base_list_first(&cpu->endings);
	struct nuc_task *task;

	if (!first)
		return;
	task = base_container_of(first, struct nuc_task, run_link);
	if (!give_back(cpu, task) || !is_passed(task))
		return;
	base_list_unlink(&task->run_link);
	finish(cpu, task);
}

static void block_for_good(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_trace(cpu, TACT_TRACE_TASK_END, task->object.handle, task->faulted);
	nuc_task_block(cpu, task,
		       TACT_TASK_STATE_ENDED | (task->faulted ? TACT_TASK_STATE_FAULTED : 0));
	if (task->sched->detach)
		task->sched->detach(cpu, task);
}

void nuc_task_end(struct nuc_cpu *cpu, struct nuc_task *task, bool faulted)
{
	const bool restarting = nuc_task_restarting(task);

	/* The fault of a handler ends the handler, not the server. */
	if (task->server) {
		cpu->server.restart(cpu, task);
		return;
	}
	task->restarts = 0;
	task->doomed = 1;
	if (faulted)
		task->faulted = 1;
	/* It gives its locks back already: that ends it now. */
	if (restarting)
		block_for_good(cpu, task);
	else
		nuc_task_go_on_ending(cpu, task);
}

void nuc_task_go_on_ending(struct nuc_cpu *cpu, struct nuc_task *task)
{
	bool all;

	if (task->state & TACT_TASK_STATE_ENDED || nuc_task_restarting(task))
		return;
	/* In secondary mode, or while it moves, the task ends when it arrives on its CPU. */
	if (task->state & (TACT_TASK_STATE_RELAXED | TACT_TASK_STATE_MOVING))
		return;
	if (task->wait) {
		/* nuc_task_wait_done() comes here again. */
		nuc_call_cancel(cpu, task->wait, NUC_BREAK_END, NUC_ENDED);
		return;
	}
	/* A fault of its shadow since the order ends it. */
	if (task->faulted)
		task->restarts = 0;
	if (task->restarts)
		nuc_task_forget(cpu, task);
	else
		block_for_good(cpu, task);
	all = give_back(cpu, task);
	pass_signal_on(cpu, task);
	if (!all || !is_passed(task)) {
		/* The server is another task: when it runs, nothing runs on the stack of this
		 * one. */
		base_list_push_back(&task->run_link, &cpu->endings);
		nuc_server_demand(cpu, nuc_owned_locks_demand(&task->owned_locks).priority);
		if (cpu->current == task)
			cpu->dirty |= NUC_DIRTY_SCHEDULE;
	} else if (cpu->current == task) {
		task->saved = finish;
		cpu->dirty |= NUC_DIRTY_SCHEDULE;
	} else {
		finish(cpu, task);
	}
}
