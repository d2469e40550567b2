/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Switching the tasks of one CPU, charging them and ending their slices. Context of everything
 * here: that CPU, stalled.
 */
#ifndef NUC_DISPATCH_H
#define NUC_DISPATCH_H

#include "task/task.h"

/* Give the processor to the right task. Returns when the caller is the right one (again): the CPU
 * it is on by then, or NULL when it goes on in secondary mode, where no CPU's data may be touched.
 */
struct nuc_cpu *nuc_schedule(struct nuc_cpu *cpu);

/* nuc_settle() and the end of the section for the current task, which waits in a call by now; it
 * is all that was dirty, and is not marked so: mostly there is nothing to do but to switch. Returns
 * the result. */
int nuc_sched_block(struct nuc_cpu *cpu, struct nuc_call *call);

/* The current task was made ready early (gravity): wait for its instant. */
void nuc_sched_hold(struct nuc_cpu *cpu);

/* Complete a switch on its far side; also the first thing that a new context does. */
void nuc_sched_arrived(struct nuc_cpu *cpu);

/* Charge the task that has been running (NULL: idle) up to now. Returns now in ticks. */
uint64_t nuc_sched_charge(struct nuc_cpu *cpu, struct nuc_task *task);

/*
 * The running task's class lets it run for so long from now on, and is then asked again
 * (nuc_class.slice_over). The charge of a run neither ends a slice nor moves its end. A slice of
 * more than nothing is long enough for the task to get on, whatever is left: no event can end it
 * before. What it is longer by is a debt to the class, as is what its end comes late by.
 */
void nuc_sched_slice(struct nuc_cpu *cpu, int64_t left_ns);
static inline void nuc_sched_no_slice(struct nuc_cpu *cpu)
{
	if (__builtin_expect(cpu->slice_ns == HAL_NO_DEADLINE, 1))
		return;
	cpu->slice_ns = HAL_NO_DEADLINE;
	cpu->slice_shot_ns = HAL_NO_DEADLINE;
	cpu->dirty |= NUC_DIRTY_SHOT;
}
/* An event came before the slice's end, or for something else: the shot that is asked for next is
 * not anticipated any more, when there is no time left for that. What is less than another event
 * costs is waited for at once. */
void nuc_sched_slice_awaited(struct nuc_cpu *cpu);

void nuc_sched_init(struct nuc_cpu *cpu);

#endif
