/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks as the scheduler sees them: reasons not to run come and go, waits end, priorities follow
 * what the task owns. A task is queued exactly while its state is TACT_TASK_STATE_READY.
 */
#include "task/priority.h"

#include "base/string.h"
#include "call/update.h"
#include "kernel/trace.h"
#include "task/dispatch.h"
#include "task/run_queue.h"

struct place {
	struct nuc_urgency urgency;
	bool boosted;
	bool throttled;
};

static struct place place_of(const struct nuc_task *task)
{
	const struct nuc_urgency by_others = nuc_owned_locks_demand(&task->owned_locks);
	struct place place = {.urgency = {NUC_NO_DEADLINE, task->sched_priority}};

	if (task->sched->urgent)
		place.urgency.deadline_ns = NUC_DEADLINE(task->class_data.edf.deadline_ns);
	/* Also below its own: what its class forbids others may demand, for as much as they are. */
	place.boosted = by_others.priority &&
			(task->throttled || !nuc_more_urgent(place.urgency, by_others));
	place.throttled = task->throttled && !place.boosted;
	if (place.boosted)
		place.urgency = by_others;
	return place;
}

/* It is in no queue. */
static void move_to(struct nuc_task *task, const struct place *place)
{
	uint32_t state = task->state & ~(uint32_t)TACT_TASK_STATE_THROTTLED;

	if (place->throttled)
		state |= TACT_TASK_STATE_THROTTLED;
	task->priority = (uint16_t)place->urgency.priority;
	/* Of equal deadlines an owner goes before the tasks that keep nobody waiting. */
	task->run_node.key = place->urgency.deadline_ns | !place->boosted;
	task->boosted = place->boosted;
	task->status->priority = task->priority;
	nuc_task_set_state(task, state);
}

/* It is in no queue: where it belongs now. */
__attribute__((noinline)) void nuc_task_find_place(struct nuc_task *task)
{
	const struct place place = place_of(task);

	move_to(task, &place);
}

/* 1 … 255 onto SCHED_FIFO's and SCHED_RR's 1 … 98; level 0 is SCHED_OTHER. */
/*
 * Linux's priority of a level: 1 to 98, for 99 belongs to the back end's own threads. The POSIX
 * skin spreads its priorities over the levels and rounds down; the result here is the priority that
 * the skin began with, so that Linux serves a task in turn with plain threads of that priority. A
 * level between two priorities has the higher one.
 */
#define LINUX_HIGHEST 98u

static uint32_t linux_priority(uint32_t level)
{
	uint32_t priority;

	if (!level)
		return 0;
	priority = 1 + ((level - 1) * 98u + 253u) / 254u;
	return priority < LINUX_HIGHEST ? priority : LINUX_HIGHEST;
}

uint32_t nuc_linux_priority(uint32_t priority, const struct tact_sched_param *sched)
{
	uint32_t level = linux_priority(priority);

	return level && sched->sched_class == TACT_SCHED_RR ? level | HAL_IN_TURNS : level;
}

uint32_t nuc_task_linux_priority(const struct nuc_task *task)
{
	return nuc_linux_priority(task->priority, &task->param);
}

/* A task that has locked the scheduler keeps more urgent ones waiting: it runs for their sake. */
uint32_t nuc_cpu_linux_priority(const struct nuc_cpu *cpu)
{
	if (cpu->locker == cpu->current)
		return linux_priority((uint32_t)base_bitmap_highest(&cpu->ready));
	return linux_priority(cpu->current->priority);
}

/* Is the shadow to have its priority: it goes on with the task, or looks after it beside it? */
static bool leads_shadow(const struct nuc_cpu *cpu, const struct nuc_task *task)
{
	if (!task->shadow || task->leaves || task->state & TACT_TASK_STATE_ENDED)
		return false;
	return task->state & TACT_TASK_STATE_RELAXED || cpu->hal.follows;
}

void nuc_task_spread_priority(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_trace(cpu, TACT_TRACE_PRIORITY, task->object.handle, task->priority);
	if (task->wait)
		nuc_call_reprioritize(cpu, task->wait);
	/* Timers that could not preempt it before may do so now. */
	if (cpu->current == task)
		cpu->dirty |= NUC_DIRTY_SHOT;
	if (leads_shadow(cpu, task))
		hal_shadow_set_priority(task->shadow, nuc_task_linux_priority(task));
}

/* It keeps its level, but has another place in it: which timers can preempt it, or it others,
 * differs, and whoever it waits for may inherit another deadline. */
static void spread_place(struct nuc_cpu *cpu, struct nuc_task *task, bool new_deadline)
{
	if (cpu->current == task)
		cpu->dirty |= NUC_DIRTY_SHOT;
	if (task->wait && (new_deadline || !task->wait->sent))
		nuc_call_reprioritize(cpu, task->wait);
}

/* As urgent by itself as for the sake of others, and without a deadline: the same place in the
 * level's list, unless its class queues by deadline. */
static bool keeps_place(const struct nuc_task *task, const struct place *place)
{
	return place->urgency.deadline_ns == NUC_NO_DEADLINE && !task->sched->urgent;
}

void nuc_task_update_priority(struct nuc_cpu *cpu, struct nuc_task *task)
{
	const struct place place = place_of(task);
	const struct nuc_urgency old = {nuc_task_deadline(task), task->priority};
	bool queued = nuc_sched_queued(task);
	bool boosted = task->boosted;

	if (nuc_equally_urgent(place.urgency, old) &&
	    place.throttled == ((task->state & TACT_TASK_STATE_THROTTLED) != 0) &&
	    (place.boosted == boosted || keeps_place(task, &place))) {
		task->boosted = place.boosted;
		return;
	}
	/* What it ran so far was at the old priority: its class may look at that. */
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	if (queued)
		nuc_sched_remove(cpu, task);
	move_to(task, &place);
	if (nuc_sched_queued(task)) {
		/* Losing a boost is no reason to lose the place: POSIX.1-2017, 2.8.4, SCHED_FIFO 8.
		 * One that rises goes to the end, though a boost may be lost in it; one that begins
		 * a job goes behind those whose deadline it has. */
		bool falls = place.urgency.priority < old.priority ||
			     (place.urgency.priority == old.priority && boosted &&
			      (!place.boosted || nuc_more_urgent(old, place.urgency)));

		if (!queued)
			task->not_before_ns = cpu->hold_ns;
		nuc_sched_insert(cpu, task, queued && falls);
	}
	if (place.urgency.priority != old.priority)
		nuc_task_spread_priority(cpu, task);
	else
		spread_place(cpu, task, place.urgency.deadline_ns != old.deadline_ns);
}

void nuc_task_hold_back(struct nuc_task *task)
{
	task->throttled = 1;
	nuc_task_find_place(task);
}

void nuc_task_throttle(struct nuc_cpu *cpu, struct nuc_task *task, bool on)
{
	task->throttled = on;
	nuc_task_update_priority(cpu, task);
}

void nuc_task_join_class(struct nuc_cpu *cpu, struct nuc_task *task,
			 const struct tact_sched_param *param)
{
	const struct nuc_class *class = nuc_class_table[param->sched_class];

	task->sched = class;
	task->param = *param;
	task->status->sched_class = (uint16_t)param->sched_class;
	task->throttled = 0;
	task->goes_back = 0;
	/* The old class's word: the new one has its own. */
	nuc_task_set_state(task, task->state & ~(uint32_t)TACT_TASK_STATE_THROTTLED);
	base_fill(&task->class_data, 0, sizeof(task->class_data));
	if (class->attach)
		class->attach(cpu, task);
	task->sched_priority = nuc_sched_level(task);
	nuc_task_find_place(task);
}
