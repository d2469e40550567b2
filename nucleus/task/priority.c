/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Effective priorities: computed from the base priority, the class and the owned locks of a task,
 * and passed on to what depends on them. A task is queued exactly while its state is
 * TACT_TASK_STATE_READY.
 */
#include "task/priority.h"

#include "base/string.h"
#include "call/update.h"
#include "kernel/trace.h"
#include "task/dispatch.h"
#include "task/run_queue.h"
#include "task/wants.h"

struct place {
	struct nuc_urgency urgency;
	bool boosted;
	bool throttled;
};

static struct place compute_place(const struct nuc_task *task)
{
	const struct nuc_urgency by_others = nuc_owned_locks_demand(&task->owned_locks);
	struct place place = {.urgency = {NUC_NO_DEADLINE, task->sched_priority}};

	if (task->sched->urgent)
		place.urgency.deadline_ns = NUC_DEADLINE(task->class_data.edf.deadline_ns);
	/* A throttled task is boosted also to a level below its own: others may demand what its
	 * class forbids, but only at their own priority. */
	place.boosted = by_others.priority &&
			(task->throttled || !nuc_more_urgent(place.urgency, by_others));
	place.throttled = task->throttled && !place.boosted;
	if (place.boosted)
		place.urgency = by_others;
	return place;
}

/* The task is in no run queue. */
static void move_to(struct nuc_task *task, const struct place *place)
{
	uint32_t state = task->state & ~(uint32_t)TACT_TASK_STATE_THROTTLED;

	if (place->throttled)
		state |= TACT_TASK_STATE_THROTTLED;
	task->priority = (uint16_t)place->urgency.priority;
	/* Of equal deadlines, that of a boosted task comes first. */
	task->run_node.key = place->urgency.deadline_ns | !place->boosted;
	task->boosted = place->boosted;
	task->status->priority = task->priority;
	nuc_task_set_state(task, state);
}

/* The task is in no run queue: compute its place. */
__attribute__((noinline)) void nuc_task_find_place(struct nuc_task *task)
{
	const struct place place = compute_place(task);

	move_to(task, &place);
}

/*
 * The Linux priority of a level, for SCHED_FIFO and SCHED_RR: 1 to 98, because 99 belongs to the
 * back end's own threads. Level 0 is SCHED_OTHER. The POSIX skin spreads its priorities over the
 * levels and rounds down. The result here is the priority with which the skin began, so that Linux
 * serves a task in turn with plain threads of that priority. A level between two priorities has the
 * higher one.
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

/* A task that has locked the scheduler keeps more urgent tasks waiting: the CPU has the priority of
 * the most urgent one. */
uint32_t nuc_cpu_linux_priority(const struct nuc_cpu *cpu)
{
	if (cpu->locker == cpu->current)
		return linux_priority((uint32_t)base_bitmap_highest(&cpu->run_queue.ready));
	return linux_priority(cpu->current->priority);
}

/* Has the shadow to follow the priority of the task? It does while it runs the task, and always on
 * a CPU that follows priorities (hal_cpu_follow()). */
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
	/* Timers that were passed over before may preempt it now. */
	if (cpu->current == task)
		cpu->dirty |= NUC_DIRTY_SHOT;
	if (leads_shadow(cpu, task))
		hal_shadow_set_priority(task->shadow, nuc_task_linux_priority(task));
}

/* The task keeps its level but has another place in it. Other timers may preempt it, its own
 * timeout may preempt other tasks, and the owner of what it waits for may inherit another
 * deadline. */
static void spread_place(struct nuc_cpu *cpu, struct nuc_task *task, bool new_deadline)
{
	if (cpu->current == task)
		cpu->dirty |= NUC_DIRTY_SHOT;
	if (task->wait && (new_deadline || !task->wait->sent))
		nuc_call_reprioritize(cpu, task->wait);
}

/* Does a boosted task, which is as urgent by itself, keep its place without the boost? It does in
 * the list of the level, if it has no deadline and its class does not queue by deadline. */
static bool keeps_place(const struct nuc_task *task, const struct place *place)
{
	return place->urgency.deadline_ns == NUC_NO_DEADLINE && !task->sched->urgent;
}

void nuc_task_update_priority(struct nuc_cpu *cpu, struct nuc_task *task)
{
	const struct place place = compute_place(task);
	const struct nuc_urgency old = {nuc_task_deadline(task), task->priority};
	bool queued = nuc_sched_queued(task);
	bool boosted = task->boosted;

	if (nuc_equally_urgent(place.urgency, old) &&
	    place.throttled == ((task->state & TACT_TASK_STATE_THROTTLED) != 0) &&
	    (place.boosted == boosted || keeps_place(task, &place))) {
		task->boosted = place.boosted;
		return;
	}
	/* The time that the task ran so far is charged at the old priority, which its class may
	 * read. */
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	if (queued)
		nuc_sched_remove(cpu, task);
	move_to(task, &place);
	if (nuc_sched_queued(task)) {
		/* A task that loses a boost keeps its place before its equals: POSIX.1-2017, 2.8.4,
		 * SCHED_FIFO 8. A task that rises goes to the end, although it may lose a boost at
		 * the same time. A task that begins a job goes behind the tasks with the same
		 * deadline. */
		bool falls = place.urgency.priority < old.priority ||
			     (place.urgency.priority == old.priority && boosted &&
			      (!place.boosted || nuc_more_urgent(old, place.urgency)));

		if (!queued) {
			task->not_before_ns = cpu->hold_ns;
			nuc_task_mark(cpu, task);
		}
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
	/* The old class set this; the new one decides anew. */
	nuc_task_set_state(task, task->state & ~(uint32_t)TACT_TASK_STATE_THROTTLED);
	base_fill(&task->class_data, 0, sizeof(task->class_data));
	if (class->attach)
		class->attach(cpu, task);
	task->sched_priority = nuc_sched_level(task);
	nuc_task_find_place(task);
}
