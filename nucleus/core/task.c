/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks as the scheduler sees them: reasons not to run come and go, waits end, priorities follow what the
 * task owns. A task is queued exactly while its state is TACT_TASK_STATE_READY.
 */
#include "core/task.h"

#include "core/trace.h"
#include "sched/sched.h"

void nuc_task_block(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	if (nuc_sched_queued(task))
		nuc_sched_remove(cpu, task);
	nuc_task_set_state(task, task->state | reason);
}

void nuc_task_unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	if (!(task->state & reason))
		return;
	nuc_task_set_state(task, task->state & ~reason);
	if (!nuc_sched_queued(task))
		return;
	if (task->sched->release)
		task->sched->release(cpu, task,
				     cpu->earliest_ns ? cpu->earliest_ns : hal_now_ns());
	task->not_before_ns = cpu->earliest_ns;
	nuc_sched_insert(cpu, task, false);
}

int nuc_task_wait(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_task *task = cpu->current;
	/* A call that was sent away is the receiver's: its fields may be changing. */
	bool sleeps = !call->sent && !call->queue;

	task->wait = call;
	task->status->waits_for = sleeps ? 0 : call->handle;
	nuc_trace(cpu, TACT_TRACE_WAIT, task->object.handle, task->status->waits_for);
	nuc_task_block(cpu, task, sleeps ? TACT_TASK_STATE_SLEEPING : TACT_TASK_STATE_WAITING);
	nuc_settle(cpu);
	hal_leave();
	return call->result;
}

void nuc_task_wait_done(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_cpu *home = atomic_load_explicit(&task->cpu, memory_order_acquire);

	if (home != cpu) {
		/* It moved while it waited. The call's message is free again: it carries the news. */
		nuc_task_wait_forward(home, task->wait);
		return;
	}
	nuc_trace(cpu, TACT_TRACE_WAKE, task->object.handle, (uint64_t)(int64_t)task->wait->result);
	task->wait = NULL;
	task->status->waits_for = 0;
	if (task->doomed) {
		nuc_task_end(cpu, task, task->faulted);
		return;
	}
	nuc_task_unblock(cpu, task, TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING);
	if (task->relax_wanted)
		nuc_task_serve_signal(cpu, task);
}

static uint32_t wanted_priority(const struct nuc_task *task)
{
	uint32_t priority = task->sched_priority;

	base_list_for_each(link, &task->holds) {
		const struct nuc_hold *hold = base_container_of(link, struct nuc_hold, link);

		if (hold->priority > priority)
			priority = hold->priority;
	}
	return priority;
}

uint32_t nuc_task_linux_priority(const struct nuc_task *task)
{
	/* 1 … 255 onto SCHED_FIFO's 1 … 98; level 0 is SCHED_OTHER. */
	return task->priority ? 1 + (task->priority - 1) * 97u / 254u : 0;
}

void nuc_task_update_priority(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint32_t priority = wanted_priority(task);
	bool lowered = priority < task->priority;

	if (priority == task->priority)
		return;
	nuc_trace(cpu, TACT_TRACE_PRIORITY, task->object.handle, priority);
	if (nuc_sched_queued(task)) {
		nuc_sched_remove(cpu, task);
		task->priority = (uint16_t)priority;
		/* Losing a boost is no reason to lose the place: POSIX.1-2017, 2.8.4, SCHED_FIFO 8. */
		nuc_sched_insert(cpu, task, lowered);
	} else {
		task->priority = (uint16_t)priority;
		if (task->wait)
			nuc_call_reprioritize(cpu, task->wait, priority);
	}
	task->status->priority = task->priority;
	if (task->shadow && task->state & TACT_TASK_STATE_RELAXED)
		hal_shadow_set_priority(task->shadow, nuc_task_linux_priority(task));
}
