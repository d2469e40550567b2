/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Picking and switching. The running task stays in the run queue: see run_queue.c.
 */
#include "task/dispatch.h"

#include "kernel/idle_lead.h"
#include "kernel/trace.h"
#include "task/prefetch.h"
#include "task/run_queue.h"
#include "task/wants.h"

/* The end of a slice that is not longer than so many anticipations is not anticipated, because a
 * shot that comes early costs one more event. */
#define SLICE_ANTICIPATED 4u

/* The events that begin and end a slice fall into it: with a slice of two events, the task makes
 * progress in half of it. */
#define SLICE_EVENTS 2u

/* The part of an event's cost for which the CPU waits, rather than program another shot. */
#define SLICE_REST 4u

/* A turn that is shorter is none: the paths of two switches and an event take so long. */
#define NO_TURN_NS 5000u

void nuc_sched_init(struct nuc_cpu *cpu)
{
	for (unsigned i = 0; i < NUC_LEVELS; i++) {
		base_list_init(&cpu->run_queue.level[i].list);
		base_tree_init(&cpu->run_queue.level[i].deadlines);
	}
	cpu->dispatch.switch_ticks = hal_ticks();
	cpu->shot.turn_end_ns = HAL_NO_DEADLINE;
	cpu->dispatch.slice_ns = HAL_NO_DEADLINE;
	cpu->dispatch.slice_shot_ns = HAL_NO_DEADLINE;
}

static struct nuc_task *pick(struct nuc_cpu *cpu)
{
	struct nuc_task *locker = cpu->locker;
	int priority;
	struct nuc_level *level;
	struct base_tree_node *earliest;

	/* A task that has locked the scheduler keeps the processor as long as it can run; only
	 * handlers, which are not tasks to the program, run before it. If it cannot run, its lock
	 * has no effect until the CPU switches to it: it may become ready earlier, behind
	 * others. With a lock of the handlers it keeps the server waiting, too. */
	if (__builtin_expect(locker && !nuc_sched_queued(locker), 0))
		locker = cpu->locker = NULL;
	if (__builtin_expect(locker != NULL, 0))
		return !locker->handler_locks &&
				       base_bitmap_test(&cpu->run_queue.ready, NUC_LEVEL_SERVER)
			       ? cpu->server.task
			       : locker;
	priority = base_bitmap_highest(&cpu->run_queue.ready);
	if (priority < 0)
		return NULL;
	level = &cpu->run_queue.level[priority];
	earliest = base_tree_first(&level->deadlines);
	if (earliest)
		return base_container_of(earliest, struct nuc_task, run_node);
	return base_container_of(level->list.next, struct nuc_task, run_link);
}

/* The running code has caused the faults: they come in its own thread of control. */
static __attribute__((noinline)) void charge_page_faults(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint64_t seen = *cpu->dispatch.page_faults;
	uint64_t faults = (seen - cpu->dispatch.page_faults_seen) / HAL_PAGE_FAULT_STEP;

	cpu->dispatch.page_faults_seen = seen;
	cpu->status->page_faults += faults;
	if (task)
		task->status->faults += faults;
	nuc_trace(cpu, TACT_TRACE_PAGE_FAULT, task ? task->object.handle : 0, faults);
}

static inline uint64_t charge(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint64_t now = hal_ticks();
	uint64_t ran = now - cpu->dispatch.switch_ticks;

	cpu->dispatch.switch_ticks = now;
	if (__builtin_expect(*cpu->dispatch.page_faults != cpu->dispatch.page_faults_seen, 0))
		charge_page_faults(cpu, task);
	if (task) {
		task->status->run_ticks += ran;
		if (!nuc_task_plain(task) && task->sched->end)
			task->sched->end(cpu, task, hal_ticks_to_ns(ran));
	} else {
		cpu->status->idle_ticks += ran;
	}
	return now;
}

uint64_t nuc_sched_charge(struct nuc_cpu *cpu, struct nuc_task *task)
{
	return charge(cpu, task);
}

void nuc_sched_slice(struct nuc_cpu *cpu, int64_t left_ns)
{
	uint64_t early_ns = hal_gravity_preempt_ns(&cpu->hal);
	uint64_t slice_ns = left_ns > 0 ? (uint64_t)left_ns : 0;

	if (slice_ns && slice_ns < SLICE_EVENTS * nuc_event_ns)
		slice_ns = SLICE_EVENTS * nuc_event_ns;
	cpu->dispatch.slice_ns = hal_now_ns() + slice_ns;
	cpu->dispatch.slice_shot_ns = cpu->dispatch.slice_ns;
	if (slice_ns <= SLICE_ANTICIPATED * early_ns)
		cpu->dispatch.slice_shot_ns += early_ns;
	cpu->dirty |= NUC_DIRTY_SHOT;
}

void nuc_sched_slice_over(struct nuc_cpu *cpu)
{
	struct nuc_task *task = cpu->current;

	nuc_sched_no_slice(cpu);
	(void)nuc_sched_charge(cpu, task);
	task->sched->slice_over(cpu, task);
}

void nuc_sched_slice_awaited(struct nuc_cpu *cpu)
{
	uint64_t early_ns = hal_gravity_preempt_ns(&cpu->hal);

	if (cpu->dispatch.slice_ns == HAL_NO_DEADLINE ||
	    cpu->expiry.looked_ns + early_ns < cpu->dispatch.slice_ns)
		return;
	cpu->dispatch.slice_shot_ns = cpu->dispatch.slice_ns + early_ns;
	/* All timers that are due before the end of the slice have been served: they were within
	 * reach, too. */
	if (!(cpu->dirty & NUC_DIRTY_SCHEDULE) &&
	    cpu->dispatch.slice_ns - cpu->expiry.looked_ns <= nuc_event_ns / SLICE_REST) {
		(void)hal_spin_until(cpu->dispatch.slice_ns);
		nuc_sched_slice_over(cpu);
	}
}

static inline void arrived(struct nuc_cpu *cpu)
{
	struct nuc_task *left = cpu->dispatch.left;

	cpu->dispatch.left = NULL;
	if (left)
		left->status->context_sp = (uintptr_t)left->context.stack_pointer;
	if (left && __builtin_expect(left->saved != NULL, 0)) {
		void (*saved)(struct nuc_cpu *, struct nuc_task *) = left->saved;

		left->saved = NULL;
		saved(cpu, left);
	}
}

void nuc_sched_arrived(struct nuc_cpu *cpu)
{
	arrived(cpu);
}

static inline void publish_switch(struct nuc_cpu *cpu, struct nuc_task *from, struct nuc_task *to,
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
	/* Relaxed: the watchdog only looks whether it changes. */
	atomic_store_explicit(&cpu->watch.heartbeat, status->switches, memory_order_relaxed);
}

/*
 * The last step before a task that was made ready early continues. It runs in the context of the
 * task, after everything else, so that the rest of the path is short and in the caches.
 */
static __attribute__((noinline)) void await_instant(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint64_t now;

	if (hal_now_ns() + NUC_PREFETCH_NS < task->not_before_ns)
		nuc_task_prefetch(task);
	/* Here, so that the measured path includes the prefetching, which has to be over at the
	 * instant. */
	nuc_idle_lead_end(cpu);
	now = hal_spin_until(task->not_before_ns);

	task->not_before_ns = 0;
	/* The time that was spun is idle time, and is not taken from a budget. */
	cpu->status->idle_ticks += now - cpu->dispatch.switch_ticks;
	cpu->dispatch.switch_ticks = now;
	if (task->sched->begin)
		task->sched->begin(cpu, task);
}

struct nuc_cpu *nuc_sched_attend(struct nuc_cpu *cpu)
{
	struct nuc_task *task = cpu->current;

	if (task->not_before_ns != NUC_WANTS_NOW)
		await_instant(cpu, task);
	task->not_before_ns = 0;
	return __builtin_expect(task->wants, 0) ? nuc_task_attend(cpu, task) : cpu;
}

/*
 * A task that is released early may sleep again and again for less than the anticipation takes.
 * Between two releases the other tasks would then not execute one instruction. program_shot() gives
 * them the turn that is owed.
 *
 * A turn ends when the event looks at the timers. The time that the back end took to arm the shot
 * is not part of it, nor is the time after the instant of the shot, which is mostly the
 * interruption itself.
 */
static __attribute__((noinline)) void note_turn(struct nuc_cpu *cpu, struct nuc_task *from,
						uint64_t since_ticks)
{
	uint64_t ran_ticks =
		cpu->expiry.looked_ticks > since_ticks ? cpu->expiry.looked_ticks - since_ticks : 0;
	uint64_t taken_ns = hal_ticks_to_ns(cpu->shot.arming_ticks);
	bool nothing;

	/* It was not released. */
	if (cpu->current->not_before_ns == NUC_WANTS_NOW)
		return;
	if (cpu->expiry.looked_ns > cpu->shot.turn_end_ns)
		taken_ns += cpu->expiry.looked_ns - cpu->shot.turn_end_ns;
	nothing = nuc_sched_queued(from) && hal_ticks_to_ns(ran_ticks) < NO_TURN_NS + taken_ns;

	if (!nothing)
		from->cut_short = 0;
	else if (from->cut_short < UINT8_MAX)
		from->cut_short++;
}

/*
 * The CPU switches to its server, or to a task that has locks or wants something. Under a handler a
 * lock remains: see pick().
 */
static __attribute__((noinline)) void change_to_special(struct nuc_cpu *cpu,
							const struct nuc_task *from,
							struct nuc_task *to)
{
	cpu->in_handler = to->server;
	if (to->server) {
		cpu->dispatch.interrupted = from && nuc_sched_queued(from) ? from : NULL;
		return;
	}
	cpu->locker = nuc_task_is_locker(to) ? to : NULL;
	if (to->wants)
		nuc_task_switched_to(to, from && from->server && cpu->dispatch.interrupted == to);
}

/* Inlined once for a switch between two tasks, and once for a switch from or to an idle CPU: the
 * compiler then answers most of the conditions below. */
static inline __attribute__((always_inline)) struct nuc_cpu *change(struct nuc_cpu *cpu,
								    struct nuc_task *from,
								    struct nuc_task *to)
{
	uint64_t since_ticks = cpu->dispatch.switch_ticks;
	uint64_t now_ticks;

	cpu->current = to;
	now_ticks = charge(cpu, from);
	if (from && to && __builtin_expect(to->not_before_ns != 0, 0))
		note_turn(cpu, from, since_ticks);
	cpu->shot.turn_end_ns = HAL_NO_DEADLINE;
	cpu->shot.arming_ticks = 0;
	nuc_sched_no_slice(cpu);
	cpu->dispatch.left = from;
	if (to && __builtin_expect(to->on_switch, 0)) {
		change_to_special(cpu, from, to);
	} else {
		cpu->in_handler = 0;
		cpu->locker = NULL;
	}
	/* An idle CPU had no shot. Timers that were passed over for the old task may concern the
	 * new one. */
	if (!from || __builtin_expect(cpu->expiry.skipped_ns != HAL_NO_DEADLINE, 0))
		cpu->dirty |= NUC_DIRTY_SHOT;
	publish_switch(cpu, from, to, now_ticks);
	if (to && !nuc_task_plain(to) && to->not_before_ns <= NUC_WANTS_NOW && to->sched->begin)
		to->sched->begin(cpu, to);
	hal_context_switch(from ? &from->context : &cpu->dispatch.idle_context,
			   to ? &to->context : &cpu->dispatch.idle_context);
	if (from) {
		/* Here the task runs on its shadow, and the CPU continues without it. Only the task
		 * changes its state now. */
		if (__builtin_expect(from->state & TACT_TASK_STATE_RELAXED, 0))
			return NULL;
		cpu = atomic_load_explicit(&from->cpu, memory_order_relaxed);
	}
	arrived(cpu);
	return cpu;
}

static __attribute__((noinline)) struct nuc_cpu *change_idle(struct nuc_cpu *cpu,
							     struct nuc_task *from,
							     struct nuc_task *to)
{
	return change(cpu, from, to);
}

struct nuc_cpu *nuc_schedule(struct nuc_cpu *cpu)
{
	struct nuc_task *from = cpu->current;
	struct nuc_task *to = pick(cpu);

	if (__builtin_expect(to == from, 0))
		return cpu;
	if (__builtin_expect(!from || !to, 0))
		return change_idle(cpu, from, to);
	return change(cpu, from, to);
}

int nuc_sched_block(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_task *from = cpu->current;
	struct nuc_task *to = pick(cpu);

	if (__builtin_expect(to != NULL, 1))
		cpu = change(cpu, from, to);
	else
		cpu = change_idle(cpu, from, to);
	if (__builtin_expect(cpu && (cpu->dirty || cpu->hal.follows || from->not_before_ns), 0))
		nuc_settle(cpu);
	hal_leave();
	return call->result;
}
