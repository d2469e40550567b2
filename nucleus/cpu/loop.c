/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A real-time CPU: its first code, its idle loop, and what it does at an event. Every path ends in
 * nuc_settle(), which switches tasks and programs the next shot, if needed.
 */
#include "device/device.h"
#include "kernel/idle_lead.h"
#include "task/dispatch.h"
#include "task/mode.h"
#include "task/priority.h"

#define TURNS_CUT_SHORT 16u
#define TURN_NS         20000u

/*
 * After so many turns that anticipation cut short, one turn is not cut short. A task that sleeps
 * for less than the anticipation takes is late then; otherwise the tasks below it would never have
 * the processor.
 */
static uint64_t owed_turn(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t deadline_ns)
{
	uint64_t end_ns = hal_now_ns() + TURN_NS;

	task->cut_short = 0;
	return (deadline_ns > end_ns ? deadline_ns : end_ns) + hal_gravity_preempt_ns(&cpu->hal);
}

/* Arming may take longer than the turn that the shot ends: note_turn() needs the time. */
static void arm(struct nuc_cpu *cpu, uint64_t deadline_ns)
{
	uint64_t early_ns = hal_gravity_preempt_ns(&cpu->hal);
	uint64_t begin_ticks = hal_ticks();

	hal_shot(&cpu->hal, deadline_ns);
	cpu->shot.arming_ticks += hal_ticks() - begin_ticks;
	cpu->shot.turn_end_ns = deadline_ns > early_ns ? deadline_ns - early_ns : 0;
}

static void program_shot(struct nuc_cpu *cpu)
{
	struct nuc_task *current = cpu->current;
	uint32_t lead_ns;
	uint64_t deadline, shot;
	bool for_slice;

	if (!current)
		return; /* hal_idle() gets the deadline */
	deadline = nuc_timer_next_above(cpu, current->priority, &lead_ns);
	/* An instant of the wall clock may lie before the monotonic clock began. */
	if (deadline == HAL_NO_DEADLINE)
		shot = HAL_NO_DEADLINE;
	else
		shot = deadline > lead_ns ? deadline - lead_ns : 0;
	for_slice = cpu->dispatch.slice_shot_ns < shot;
	if (for_slice)
		deadline = shot = cpu->dispatch.slice_shot_ns;
	if (deadline == cpu->shot.ns && for_slice == cpu->shot.for_slice)
		return;
	cpu->shot.ns = deadline;
	cpu->shot.for_slice = for_slice;
	if (deadline == HAL_NO_DEADLINE) {
		cpu->shot.turn_end_ns = HAL_NO_DEADLINE;
		hal_shot(&cpu->hal, HAL_NO_DEADLINE);
		return;
	}
	if (!for_slice && current->cut_short >= TURNS_CUT_SHORT) {
		shot = owed_turn(cpu, current, deadline);
		if (cpu->dispatch.slice_shot_ns < shot)
			shot = cpu->dispatch.slice_shot_ns;
	}
	arm(cpu, shot);
}

void nuc_settle(struct nuc_cpu *cpu)
{
	for (;;) {
		if (cpu->dirty & NUC_DIRTY_SCHEDULE) {
			cpu->dirty &= ~(uint32_t)NUC_DIRTY_SCHEDULE;
			cpu = nuc_schedule(cpu);
			if (!cpu)
				return;
		} else if (cpu->dirty) {
			cpu->dirty &= ~(uint32_t)NUC_DIRTY_SHOT;
			program_shot(cpu);
		} else {
			/* Before the hold: a system call after it would make the task late. */
			if (__builtin_expect(cpu->hal.follows, 0) && cpu->current)
				hal_cpu_follow(&cpu->hal, nuc_cpu_linux_priority(cpu));
			if (!cpu->current || !cpu->current->not_before_ns)
				return;
			cpu = nuc_sched_attend(cpu);
			if (!cpu)
				return;
		}
	}
}

void nuc_upcall_event(struct hal_cpu *hal)
{
	struct nuc_cpu *cpu = nuc_cpu_of(hal);
	bool full;

	cpu->status->events++;
	if (__builtin_expect(cpu->fault_leaves, 0)) {
		cpu->fault_leaves = 0;
		nuc_task_demote(cpu, cpu->current,
				cpu->current->flags & TACT_TASK_SIGNAL ? TACT_SWITCH_FAULT : 0);
	}
	/* Timers that were passed over were due before the messages came. */
	full = nuc_timer_catch_up(cpu);
	nuc_message_drain(cpu);
	if (hal->interrupts)
		nuc_interrupts_serve(cpu);
	if (!full)
		(void)nuc_timer_expire(cpu, hal_gravity_preempt_ns(hal));
	nuc_sched_slice_awaited(cpu);
	/* The shot has come, or the event was early: program the shot again. */
	cpu->shot.ns = HAL_NO_DEADLINE - 1;
	cpu->dirty |= NUC_DIRTY_SHOT;
	nuc_settle(cpu);
}

static void complete_gravity(struct nuc_cpu *cpu)
{
	struct hal_gravity known;

	hal_gravity(&cpu->hal, &known);
	if (!cpu->gravity_ns[NUC_CONTEXT_HANDLER])
		cpu->gravity_ns[NUC_CONTEXT_HANDLER] = known.handler_ns;
	if (!cpu->gravity_ns[NUC_CONTEXT_LIGHT])
		cpu->gravity_ns[NUC_CONTEXT_LIGHT] = known.light_ns;
	if (!cpu->gravity_ns[NUC_CONTEXT_TASK])
		cpu->gravity_ns[NUC_CONTEXT_TASK] = known.task_ns;
	for (int i = 0; i < NUC_CONTEXTS; i++)
		cpu->lead_ns[i] = cpu->gravity_ns[i] ? cpu->gravity_ns[i] + NUC_PATH_NS : 0;
}

void nuc_upcall_start(struct hal_cpu *hal)
{
	struct nuc_cpu *cpu = nuc_cpu_of(hal);

	complete_gravity(cpu);
	cpu->dispatch.page_faults =
		hal->page_faults ? hal->page_faults : &cpu->dispatch.page_faults_seen;
	cpu->dispatch.page_faults_seen = *cpu->dispatch.page_faults;
	while (!atomic_load_explicit(&cpu->stopping, memory_order_acquire)) {
		struct hal_waiting waiting;
		uint32_t lead_ns;
		uint64_t deadline;
		bool full;

		nuc_message_drain(cpu);
		if (hal->interrupts)
			nuc_interrupts_serve(cpu);
		full = nuc_timer_expire(cpu, cpu->idle_lead.ns);
		cpu->dirty &= ~(uint32_t)NUC_DIRTY_SHOT;
		cpu->shot.ns = HAL_NO_DEADLINE - 1;
		if (cpu->dirty)
			nuc_settle(cpu);
		if (full || !base_inbox_empty(&cpu->inbox))
			continue;
		deadline = nuc_timer_next(cpu, &lead_ns);
		hal_waiting(hal, &waiting);
		cpu->status->spun_ns = waiting.spun_ns;
		cpu->status->gap_max_ns = waiting.gap_max_ns;
		cpu->status->wake_late_max_ns = waiting.wake_late_max_ns;
		atomic_fetch_add_explicit(&cpu->watch.heartbeat, 1, memory_order_relaxed);
		atomic_store_explicit(
			&cpu->watch.idle_turns,
			atomic_load_explicit(&cpu->watch.idle_turns, memory_order_relaxed) + 1,
			memory_order_relaxed);
		/* Without a lead nothing is anticipated, not even the path. */
		hal_idle(hal, deadline, lead_ns ? lead_ns + cpu->idle_lead.ns : 0);
		nuc_idle_lead_begin(cpu);
	}
}
