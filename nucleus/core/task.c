/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks as the scheduler sees them: reasons not to run come and go, waits end, priorities follow
 * what the task owns. A task is queued exactly while its state is TACT_TASK_STATE_READY.
 */
#include "core/task.h"

#include "base/string.h"
#include "core/trace.h"
#include "sched/sched.h"

struct place {
	struct nuc_urgency urgency;
	bool boosted;
	bool throttled;
};

static struct place place_of(const struct nuc_task *task)
{
	const struct nuc_urgency by_others = nuc_holds_demand(&task->holds);
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
static __attribute__((noinline)) void find_place(struct nuc_task *task)
{
	const struct place place = place_of(task);

	move_to(task, &place);
}

void nuc_task_block(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	bool queued = nuc_sched_queued(task);

	if (queued)
		nuc_sched_remove(cpu, task);
	if (cpu->current == task)
		nuc_sched_no_slice(cpu);
	/* Before somebody is picked, too: its control block may be anywhere by then. */
	if (cpu->locker == task && reason & (TACT_TASK_STATE_MOVING | TACT_TASK_STATE_ENDED))
		cpu->locker = NULL;
	task->room_seen = NUC_ROOM_WAITED;
	nuc_task_set_state(task, task->state | reason);
	if (queued && task->sched->block)
		task->sched->block(cpu, task);
}

uint64_t nuc_wake_up_ns(const struct nuc_cpu *cpu)
{
	uint64_t now_ns;

	if (cpu->earliest_ns)
		return cpu->earliest_ns;
	now_ns = hal_now_ns();
	return cpu->due_ns && cpu->due_ns < now_ns ? cpu->due_ns : now_ns;
}

/* Something else keeps it yet. The answer that it waits for may be on this CPU before it: that is
 * when its job begins, but its class, which is told later, has left the one CPU and not come to the
 * other. */
static __attribute__((noinline)) void still_blocked(struct nuc_cpu *cpu, struct nuc_task *task,
						    uint32_t reason)
{
	if (task->state == TACT_TASK_STATE_THROTTLED && task->sched->held)
		task->sched->held(task);
	task->woken_ns = task->state == TACT_TASK_STATE_MOVING && reason & NUC_WAKE_UPS
				 ? nuc_wake_up_ns(cpu)
				 : 0;
}

static void tell_class(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	uint64_t instant_ns = task->woken_ns;

	task->woken_ns = 0;
	if (reason == TACT_TASK_STATE_MOVING && instant_ns)
		task->sched->ready(cpu, task, TACT_TASK_STATE_WAITING, instant_ns);
	else
		task->sched->ready(cpu, task, reason, nuc_wake_up_ns(cpu));
}

static inline void unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	if (!(task->state & reason))
		return;
	nuc_task_set_state(task, task->state & ~reason);
	if (!nuc_sched_queued(task)) {
		still_blocked(cpu, task, reason);
		return;
	}
	if (task->sched->ready)
		tell_class(cpu, task, reason);
	/* It may have begun a job. */
	if (task->sched->urgent)
		find_place(task);
	if (!nuc_sched_queued(task))
		return;
	task->not_before_ns = cpu->hold_ns;
	nuc_sched_insert(cpu, task, false);
	/* Blocked and back in one section: it may go on without being switched to. */
	if (cpu->current == task && task->sched->begin)
		task->sched->begin(cpu, task);
}

void nuc_task_unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason)
{
	unblock(cpu, task, reason);
}

/* Not inline: most objects that tasks wait for have no name. */
static __attribute__((noinline)) void show_name(struct nuc_task *task,
						const struct nuc_object *object)
{
	base_copy(task->status->waits_name, object->name, TACT_NAME_BYTES);
}

/* The name of an object of another CPU is not at hand: tools show its handle. */
static void show_wait(struct nuc_task *task, const struct nuc_call *call)
{
	const struct nuc_object *object = !call->sent && call->queue ? call->queue->object : NULL;

	if (__builtin_expect(object && object->named, 0))
		show_name(task, object);
	else
		task->status->waits_name[0] = '\0';
}

bool nuc_task_message_follows(struct nuc_cpu *cpu, const struct nuc_task *task,
			      struct nuc_message *message)
{
	struct nuc_cpu *at = atomic_load_explicit(&task->cpu, memory_order_acquire);

	if (at == cpu && !(task->state & TACT_TASK_STATE_MOVING))
		return false;
	nuc_message_send(at, message);
	return true;
}

int nuc_task_wait(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_task *task = cpu->current;
	/* A call that was sent away is the receiver's: its fields may be changing. */
	bool sleeps = !call->sent && !call->queue;

	task->wait = call;
	show_wait(task, call);
	task->status->waits_for = sleeps ? 0 : call->handle;
	nuc_trace(cpu, TACT_TRACE_WAIT, task->object.handle, task->status->waits_for);
	nuc_task_block(cpu, task, sleeps ? TACT_TASK_STATE_SLEEPING : TACT_TASK_STATE_WAITING);
	nuc_settle(cpu);
	hal_leave();
	return call->result;
}

void nuc_task_wait_done(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_call *call = task->wait;

	nuc_assert(atomic_load_explicit(&task->cpu, memory_order_relaxed) == cpu);
	nuc_trace(cpu, TACT_TRACE_WAKE, task->object.handle, (uint64_t)(int64_t)call->result);
	task->wait = NULL;
	task->status->waits_for = 0;
	if (call->hooks && call->hooks->done)
		call->hooks->done(cpu, task, call);
	if (task->doomed) {
		nuc_task_end(cpu, task, task->faulted);
		return;
	}
	unblock(cpu, task, TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING);
	if (task->relax_wanted)
		nuc_task_serve_signal(cpu, task);
}

/* 1 … 255 onto SCHED_FIFO's and SCHED_RR's 1 … 98; level 0 is SCHED_OTHER. */
static uint32_t linux_priority(uint32_t level)
{
	return level ? 1 + (level - 1) * 97u / 254u : 0;
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
	find_place(task);
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
	find_place(task);
}
