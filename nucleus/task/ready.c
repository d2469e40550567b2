/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reasons for which a task does not run. A task is queued exactly while its state is
 * TACT_TASK_STATE_READY.
 */
#include "task/ready.h"

#include "call/upcall.h"
#include "call/wait.h"
#include "kernel/trace.h"
#include "task/dispatch.h"
#include "task/priority.h"
#include "task/run_queue.h"
#include "task/wants.h"

static inline void block(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	bool queued = nuc_sched_queued(task);

	if (__builtin_expect(queued, 1))
		nuc_sched_remove(cpu, task);
	if (cpu->current == task)
		nuc_sched_no_slice(cpu);
	/* Now, not in pick(): the control block may be on another CPU or in reuse by then. */
	if (cpu->locker == task && reason & (TACT_TASK_STATE_MOVING | TACT_TASK_STATE_ENDED))
		cpu->locker = NULL;
	task->rebalance_seen = NUC_REBALANCE_WAITED;
	nuc_task_set_state(task, task->state | reason);
	if (queued && !nuc_task_plain(task) && task->sched->block)
		task->sched->block(cpu, task);
}

void nuc_task_block(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	block(cpu, task, reason);
}

/* Another reason is left. The answer that a moving task waits for may reach this CPU before the
 * task does. The job of the task begins at that instant, but its class is detached from the one CPU
 * and not yet attached to the other; so the instant is stored, and the class gets it later. */
static __attribute__((noinline)) void still_blocked(struct nuc_cpu *cpu, struct nuc_task *task,
						    uint32_t reason)
{
	if (task->state == TACT_TASK_STATE_THROTTLED && task->sched->held)
		task->sched->held(task);
	task->woken_ns = task->state == TACT_TASK_STATE_MOVING && reason & NUC_WAKE_UPS
				 ? nuc_wake_up_ns(cpu)
				 : 0;
}

static void notify_class(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	uint64_t instant_ns = task->woken_ns;

	task->woken_ns = 0;
	if (reason == TACT_TASK_STATE_MOVING && instant_ns)
		task->sched->ready(cpu, task, TACT_TASK_STATE_WAITING, instant_ns);
	else
		task->sched->ready(cpu, task, reason, nuc_wake_up_ns(cpu));
}

/* Blocked and unblocked in one section: the task may continue without a switch. */
static __attribute__((noinline)) void continues(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (task->sched->begin)
		task->sched->begin(cpu, task);
	nuc_task_mark(cpu, task);
}

static void unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	if (!(task->state & reason))
		return;
	nuc_task_set_state(task, task->state & ~reason);
	if (!nuc_sched_queued(task)) {
		still_blocked(cpu, task, reason);
		return;
	}
	if (task->sched->ready)
		notify_class(cpu, task, reason);
	/* The task may have begun a job. */
	if (task->sched->urgent)
		nuc_task_find_place(task);
	if (!nuc_sched_queued(task))
		return;
	task->not_before_ns = cpu->hold_ns;
	nuc_sched_insert(cpu, task, false);
	if (cpu->current == task)
		continues(cpu, task);
}

void nuc_task_unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	unblock(cpu, task, reason);
}

/* By the compiler, which copies a few words: objects of skins have names, and tasks wait for them
 * as often as for others. */
static inline void show_name(struct tact_status_task *status, const struct nuc_object *object)
{
	_Static_assert(sizeof(status->waits_name) == sizeof(object->name), "all of it is copied");
	__builtin_memcpy(status->waits_name, object->name, sizeof(object->name));
}

/* The name of an object of another CPU cannot be read here: tools show its handle. */
static void show_wait(struct nuc_task *task, const struct nuc_call *call)
{
	const struct nuc_object *object = !call->sent && call->queue ? call->queue->object : NULL;

	if (object && object->named)
		show_name(task->status, object);
	else
		task->status->waits_name[0] = '\0';
}

int nuc_task_wait(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_task *task = cpu->current;
	/* A call that was sent belongs to the receiver: its fields may be changing. */
	bool sleeps = !call->sent && !call->queue;

	task->wait = call;
	show_wait(task, call);
	task->status->waits_for = sleeps ? 0 : call->handle;
	nuc_trace(cpu, TACT_TRACE_WAIT, task->object.handle, task->status->waits_for);
	block(cpu, task, sleeps ? TACT_TASK_STATE_SLEEPING : TACT_TASK_STATE_WAITING);
	if (__builtin_expect(cpu->dirty == NUC_DIRTY_SCHEDULE, 1)) {
		cpu->dirty = 0;
		return nuc_sched_block(cpu, call);
	}
	nuc_settle(cpu);
	hal_leave();
	return call->result;
}

/* Every case that needs more is left to nuc_wait() and nuc_task_wait(), before anything is done: so
 * this function has no registers to save. */
int nuc_task_wait_forever(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue)
{
	struct nuc_task *task = cpu->current;
	struct tact_status_task *status = task->status;
	const unsigned priority = task->priority;
	struct nuc_level *level = &cpu->run_queue.level[priority];

	if (__builtin_expect(cpu->dirty || cpu->trace->enabled || cpu->locker ||
				     cpu->dispatch.slice_ns != HAL_NO_DEADLINE || task->boosted ||
				     !nuc_sched_queued(task) || !nuc_task_plain(task) ||
				     !base_list_empty(&queue->calls),
			     0))
		return nuc_call_wait_general(cpu, call, queue);

	call->task = task;
	call->origin = cpu;
	call->holder = cpu;
	call->is_cross_cpu = 0;
	call->urgency = (struct nuc_urgency){nuc_task_deadline(task), priority};
	/* It is never armed, and nothing else of the timer is read. */
	base_timer_init(&call->timer.node);
	nuc_enqueue_first(queue, call);
	task->wait = call;
	if (queue->object->named)
		show_name(status, queue->object);
	else
		status->waits_name[0] = '\0';
	status->waits_for = call->handle;

	base_list_unlink(&task->run_link);
	if (base_list_empty(&level->list) && base_tree_empty(&level->deadlines))
		base_bitmap_clear(&cpu->run_queue.ready, priority);
	task->rebalance_seen = NUC_REBALANCE_WAITED;
	task->state = TACT_TASK_STATE_WAITING;
	status->state = TACT_TASK_STATE_WAITING;
	return nuc_sched_block(cpu, call);
}

static __attribute__((noinline)) void wait_done(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_call *call = task->wait;

	nuc_trace(cpu, TACT_TRACE_WAKE, task->object.handle, (uint64_t)(int64_t)call->result);
	task->wait = NULL;
	task->status->waits_for = 0;
	if (call->hooks && call->hooks->done)
		call->hooks->done(cpu, task, call);
	if (!task->doomed)
		unblock(cpu, task, TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING);
	if (task->doomed || task->relax_wanted)
		nuc_task_interrupted(cpu, task);
}

/* Every case that needs more than to be queued is in a function of its own: so this one has no
 * registers to save. */
void nuc_task_wait_done(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct tact_status_task *status = task->status;
	const struct nuc_task *current = cpu->current;
	const unsigned priority = task->priority;

	nuc_assert(atomic_load_explicit(&task->cpu, memory_order_relaxed) == cpu);
	if (__builtin_expect(cpu->trace->enabled || task->wait->hooks || task->boosted ||
				     task->doomed || task->relax_wanted ||
				     task->state != TACT_TASK_STATE_WAITING || current == task ||
				     !nuc_task_plain(task),
			     0)) {
		wait_done(cpu, task);
		return;
	}
	task->wait = NULL;
	status->waits_for = 0;
	task->state = TACT_TASK_STATE_READY;
	status->state = TACT_TASK_STATE_READY;
	task->not_before_ns = cpu->hold_ns;
	/* As nuc_may_run_next() for a task that goes to the end of its level. */
	if (!current || !nuc_sched_queued(current) || priority > current->priority)
		cpu->dirty |= NUC_DIRTY_SCHEDULE;
	base_list_push_back(&task->run_link, &cpu->run_queue.level[priority].list);
	base_bitmap_set(&cpu->run_queue.ready, priority);
}
