/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Primary and secondary mode. A task leaves its CPU as if it waited; when its context is saved, its
 * shadow continues it. It comes back by a message from the shadow, which has saved the context
 * first.
 */
#include "task/mode.h"

#include <tactus/skin.h>

#include "call/update.h"
#include "kernel/trace.h"
#include "task/dispatch.h"
#include "task/end.h"
#include "task/fault_report.h"
#include "task/priority.h"
#include "task/ready.h"
#include "task/run_queue.h"
#include "task/suspend.h"

/* The task that the calling thread is the shadow of, unless it is stray. */
static struct nuc_task *on_shadow(void)
{
	struct nuc_task *task = hal_shadow_owner();

	return task && !nuc_task_stray(task) ? task : NULL;
}

uint32_t nuc_caller_cpu(void)
{
	struct nuc_cpu *cpu = nuc_enter();
	uint32_t index = 0;
	struct nuc_task *task;

	if (cpu) {
		index = cpu->hal.index;
		hal_leave();
		return index;
	}
	task = on_shadow();
	return task ? atomic_load_explicit(&task->cpu, memory_order_acquire)->hal.index : 0;
}

struct nuc_task *nuc_task_calling(void)
{
	struct nuc_cpu *cpu = nuc_enter();
	struct nuc_task *task;

	if (!cpu)
		return on_shadow();
	task = cpu->in_handler ? NULL : cpu->current;
	hal_leave();
	return task;
}

tact_task_t tact_task_self(void)
{
	const struct nuc_task *task = nuc_task_calling();

	return (tact_task_t){task ? task->object.handle : 0};
}

enum tact_mode tact_mode(void)
{
	struct nuc_cpu *cpu = nuc_enter();
	enum tact_mode mode;

	if (!cpu)
		return hal_shadow_owner() ? TACT_MODE_SECONDARY : TACT_MODE_NONE;
	mode = cpu->in_handler ? TACT_MODE_HANDLER : TACT_MODE_PRIMARY;
	hal_leave();
	return mode;
}

void nuc_task_run_on_shadow(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint32_t priority = nuc_task_linux_priority(task);

	(void)cpu;
	/* The tasks for which it leaves may need the Linux CPUs, too: as shadows, or as threads
	 * that are to be attached. */
	if (task->is_demoted && priority)
		priority |= HAL_DEMOTED;
	task->is_demoted = 0;
	hal_shadow_run(task->shadow, &task->context, priority);
}

/* Take a running or ready task off its CPU for its shadow. */
static void push_out(struct nuc_cpu *cpu, struct nuc_task *task)
{
	task->status->mode_switches++;
	nuc_task_block(cpu, task, TACT_TASK_STATE_RELAXED);
	if (cpu->current == task)
		task->saved = nuc_task_run_on_shadow;
	else
		nuc_task_run_on_shadow(cpu, task);
}

static void (*_Atomic switch_hook)(tact_task_t task, long number, uintptr_t ip);

void tact_on_switch(void (*hook)(tact_task_t task, long number, uintptr_t ip))
{
	atomic_store_explicit(&switch_hook, hook, memory_order_release);
}

void nuc_task_relax(struct nuc_cpu *cpu, struct nuc_task *task, long number, uintptr_t ip)
{
	void (*hook)(tact_task_t, long, uintptr_t) =
		atomic_load_explicit(&switch_hook, memory_order_acquire);
	uint32_t flags = task->flags;

	nuc_trace(cpu, TACT_TRACE_RELAX, task->object.handle, (uint64_t)number);
	push_out(cpu, task);
	nuc_settle(cpu);
	/* On the shadow from here on. */
	if (flags & TACT_TASK_WARN)
		nuc_fault_report_relax(task, number, ip);
	if (flags & TACT_TASK_SIGNAL && number >= 0)
		hal_shadow_signal(task->shadow, TACT_SWITCH_CALL);
	if (hook)
		hook((tact_task_t){task->object.handle}, number, ip);
}

bool nuc_task_may_leave(const struct nuc_task *task)
{
	return task->shadow && !nuc_task_is_locker(task) && !task->doomed &&
	       !(task->flags & TACT_TASK_NO_LINUX);
}

void nuc_task_go_back(struct nuc_task *task)
{
	struct nuc_cpu *cpu = nuc_enter();

	if (!cpu)
		return;
	if (task->goes_back && nuc_task_may_leave(task) &&
	    nuc_owned_locks_empty(&task->owned_locks)) {
		push_out(cpu, task);
		nuc_settle(cpu);
	}
	hal_leave();
}

int tact_task_relax(void)
{
	struct nuc_cpu *cpu = nuc_enter();
	struct nuc_task *task;

	if (!cpu)
		return hal_shadow_owner() ? 0 : -TACT_EPERM;
	task = cpu->current;
	if (!task->shadow || task->flags & TACT_TASK_NO_LINUX) {
		hal_leave();
		return -TACT_EPERM;
	}
	nuc_task_relax(cpu, task, -1, (uintptr_t)__builtin_return_address(0));
	hal_leave();
	return 0;
}

int nuc_go_linux(void)
{
	int result = tact_task_relax();

	return result == -TACT_EPERM && tact_mode() == TACT_MODE_NONE ? 0 : result;
}

static void parked_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, park_message);

	if (nuc_task_message_follows(cpu, task, message))
		return;
	nuc_trace(cpu, TACT_TRACE_HARDEN, task->object.handle, 0);
	task->status->context_sp = (uintptr_t)task->context.stack_pointer;
	if (task->doomed) {
		if (task->faulted)
			nuc_fault_count(cpu, task, task->faulted);
		nuc_task_set_state(task, task->state & ~(uint32_t)TACT_TASK_STATE_RELAXED);
		if (nuc_sched_queued(task))
			nuc_sched_insert(cpu, task, false);
		nuc_task_go_on_ending(cpu, task);
		return;
	}
	nuc_task_unblock(cpu, task, TACT_TASK_STATE_RELAXED);
}

/*
 * A stray task parks only to end: no CPU would continue it. The shadow is counted in
 * nuc_linux_callers, so that the stop waits for a message that was sent while the CPUs still ran.
 */
void nuc_upcall_parked(void *owner)
{
	struct nuc_task *task = owner;

	atomic_fetch_add_explicit(&nuc_linux_callers, 1, memory_order_seq_cst);
	if (nuc_task_stray(task)) {
		if (task->stack.base)
			hal_stack_put(&task->stack);
		hal_shadow_destroy(task->shadow, &task->context);
	} else {
		task->park_message.deliver = parked_arrive;
		nuc_message_send(atomic_load_explicit(&task->cpu, memory_order_acquire),
				 &task->park_message);
	}
	atomic_fetch_sub_explicit(&nuc_linux_callers, 1, memory_order_release);
}

int nuc_task_harden(struct nuc_task *task)
{
	struct nuc_cpu *cpu;

	for (;;) {
		hal_shadow_park(task->shadow, &task->context);
		if (!(task->state & TACT_TASK_STATE_RELAXED))
			break;
		/* Back on the shadow for a signal: the handler of the signal runs here. */
		hal_leave();
	}
	cpu = atomic_load_explicit(&task->cpu, memory_order_relaxed);
	nuc_sched_arrived(cpu);
	/* Also if nothing is marked: the first run may have to wait for its instant. */
	nuc_settle(cpu);
	hal_leave();
	return 0;
}

int nuc_task_enter(struct nuc_cpu **cpu)
{
	while (!(*cpu = nuc_enter())) {
		struct nuc_task *task = on_shadow();

		/* A thread that is being attached is a plain thread until its task has the
		 * shadow. */
		if (!task || !task->shadow)
			return -TACT_EPERM;
		(void)nuc_task_harden(task);
	}
	return 0;
}

void nuc_task_leave(struct nuc_cpu *cpu)
{
	struct nuc_task *task = cpu->current;

	nuc_leave(cpu);
	if (__builtin_expect(task->goes_back, 0))
		nuc_task_go_back(task);
}

int tact_task_harden(void)
{
	struct nuc_cpu *cpu = nuc_enter();
	struct nuc_task *task;

	if (cpu) {
		int result = cpu->in_handler ? -TACT_EPERM : 0;

		hal_leave();
		return result;
	}
	task = on_shadow();
	return task ? nuc_task_harden(task) : -TACT_EPERM;
}

/* A signal waits for the shadow: the task has to run its handler, in secondary mode. */
static void signal_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, signal_message);

	if (nuc_task_message_follows(cpu, task, message))
		return;
	atomic_store_explicit(&task->signal_sent, 0, memory_order_release);
	/* A task that was detached has no thread to handle a signal. */
	if (!task->shadow || task->state & (TACT_TASK_STATE_RELAXED | TACT_TASK_STATE_ENDED) ||
	    !task->started)
		return;
	/* It has no context to go there with, until it begins anew. */
	if (nuc_task_restarting(task)) {
		task->relax_wanted = 1;
		return;
	}
	nuc_task_break_suspension(cpu, task);
	/* The wait of the task ends with -TACT_EINTR, as a Linux call would. */
	task->relax_wanted = 1;
	if (task->wait)
		nuc_call_cancel(cpu, task->wait, NUC_BREAK_MUST, -TACT_EINTR);
	else
		nuc_task_serve_signal(cpu, task);
}

void nuc_task_demote(struct nuc_cpu *cpu, struct nuc_task *task, int cause)
{
	task->relax_wanted = 0;
	nuc_trace(cpu, TACT_TRACE_RELAX, task->object.handle, (uint64_t)-1);
	if (cause)
		hal_shadow_signal(task->shadow, cause);
	push_out(cpu, task);
}

void nuc_task_serve_signal(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_task_demote(cpu, task, task->flags & TACT_TASK_SIGNAL ? TACT_SWITCH_SIGNAL : 0);
}

/* Send the message, unless it is under way already. Acquire-release: pairs with the store in
 * signal_arrive(), after which the message is free again. */
static void send_signal(struct nuc_task *task)
{
	if (atomic_exchange_explicit(&task->signal_sent, 1, memory_order_acq_rel))
		return;
	task->signal_message.deliver = signal_arrive;
	nuc_message_send(atomic_load_explicit(&task->cpu, memory_order_acquire),
			 &task->signal_message);
}

/* The caller is counted as in nuc_upcall_parked(). A stray task gets no message. */
void nuc_upcall_shadow_signal(void *owner)
{
	struct nuc_task *task = owner;

	atomic_fetch_add_explicit(&nuc_linux_callers, 1, memory_order_seq_cst);
	if (!nuc_task_stray(task))
		send_signal(task);
	atomic_fetch_sub_explicit(&nuc_linux_callers, 1, memory_order_release);
}
