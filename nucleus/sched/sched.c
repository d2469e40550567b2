/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Picking and switching. The running task stays in its run queue; the right task is the first of the
 * highest level that has one, found in constant time, whatever classes the tasks belong to.
 */
#include "sched/sched.h"

#include "core/trace.h"

void nuc_sched_init(struct nuc_cpu *cpu)
{
	for (unsigned i = 0; i < NUC_LEVELS; i++) {
		base_list_init(&cpu->level[i].list);
		base_tree_init(&cpu->level[i].deadlines);
	}
	cpu->switch_ticks = hal_ticks();
}

bool nuc_sched_queued(const struct nuc_task *task)
{
	return task->state == TACT_TASK_STATE_READY;
}

void nuc_sched_insert(struct nuc_cpu *cpu, struct nuc_task *task, bool front)
{
	task->sched->insert(cpu, task, front);
	base_bitmap_set(&cpu->ready, task->priority);
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
	nuc_trace(cpu, TACT_TRACE_READY, task->object.handle, task->priority);
}

void nuc_sched_remove(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_level *level = &cpu->level[task->priority];

	task->sched->remove(cpu, task);
	if (base_list_empty(&level->list) && base_tree_empty(&level->deadlines))
		base_bitmap_clear(&cpu->ready, task->priority);
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
}

void nuc_sched_rotate(struct nuc_cpu *cpu, struct nuc_task *task)
{
	task->sched->remove(cpu, task);
	task->sched->insert(cpu, task, false);
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
}

static struct nuc_task *pick(struct nuc_cpu *cpu)
{
	struct nuc_task *current = cpu->current;
	int priority;
	struct base_tree_node *earliest;

	/* A task that locked the scheduler keeps the processor as long as it can run. */
	if (current && current->lock_count && nuc_sched_queued(current))
		return current;
	priority = base_bitmap_highest(&cpu->ready);
	if (priority < 0)
		return NULL;
	earliest = base_tree_first(&cpu->level[priority].deadlines);
	if (earliest)
		return base_container_of(earliest, struct nuc_task, class_data.edf.node);
	return base_container_of(cpu->level[priority].list.next, struct nuc_task, run_link);
}

uint64_t nuc_sched_charge(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint64_t now = hal_ticks();
	uint64_t ran = now - cpu->switch_ticks;

	cpu->switch_ticks = now;
	if (task) {
		task->status->run_ticks += ran;
		if (task->sched->end)
			task->sched->end(cpu, task, hal_ticks_to_ns(ran));
	} else {
		cpu->status->idle_ticks += ran;
	}
	return now;
}

void nuc_sched_arrived(struct nuc_cpu *cpu)
{
	struct nuc_task *left = cpu->left;

	cpu->left = NULL;
	if (left && left->saved) {
		void (*saved)(struct nuc_cpu *, struct nuc_task *) = left->saved;

		left->saved = NULL;
		saved(cpu, left);
	}
}

static void publish_switch(struct nuc_cpu *cpu, struct nuc_task *from, struct nuc_task *to,
			   uint64_t now_ticks)
{
	struct tact_status_cpu *status = cpu->status;

	status->switches++;
	if (to) {
		to->status->switches++;
		status->current_slot = to->slot ? to->slot->index : UINT32_MAX - 1;
		status->current_since_ticks = now_ticks;
	} else {
		status->current_slot = UINT32_MAX;
		status->current_since_ticks = 0;
	}
	nuc_trace_at(cpu, now_ticks, TACT_TRACE_SWITCH, from ? from->object.handle : 0,
		     to ? to->object.handle : 0);
	/* Relaxed: the watchdog only wants to see that it moves. */
	atomic_store_explicit(&cpu->heartbeat, status->switches, memory_order_relaxed);
}

void nuc_schedule(struct nuc_cpu *cpu)
{
	struct nuc_task *from = cpu->current;
	struct nuc_task *to = pick(cpu);
	uint64_t now_ticks;

	if (to == from)
		return;
	cpu->current = to;
	now_ticks = nuc_sched_charge(cpu, from);
	cpu->left = from;
	cpu->in_handler = to && to->server;
	if (!from)
		cpu->dirty |= NUC_DIRTY_SHOT; /* an idle CPU had none */
	if (to) {
		if (to->sched->begin)
			to->sched->begin(cpu, to);
		if (to->not_before_ns) {
			hal_spin_until(to->not_before_ns);
			to->not_before_ns = 0;
		}
	}
	publish_switch(cpu, from, to, now_ticks);
	hal_context_switch(from ? &from->context : &cpu->idle_context,
			   to ? &to->context : &cpu->idle_context);
	/* Back, maybe on another CPU. */
	if (from)
		cpu = atomic_load_explicit(&from->cpu, memory_order_relaxed);
	nuc_sched_arrived(cpu);
}
