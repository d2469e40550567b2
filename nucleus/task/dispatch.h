/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Switching the tasks of one CPU, charging them, and ending their slices. Context of everything
 * here: that CPU, stalled.
 */
#ifndef NUC_DISPATCH_H
#define NUC_DISPATCH_H

#include "task/task.h"

/* Give the processor to the task that pick() chooses. Returns when the calling task is chosen
 * again: the CPU on which it runs then, or NULL if it continues in secondary mode, where it must
 * not touch the data of a CPU. */
struct nuc_cpu *nuc_schedule(struct nuc_cpu *cpu);

/* nuc_settle() and the end of the section, for the current task, which has just begun to wait in a
 * call. cpu->dirty has no bit set, although another task has to run: usually the switch is all that
 * is to be done. Returns the result of the call. */
int nuc_sched_block(struct nuc_cpu *cpu, struct nuc_call *call);

/*
 * The last step before the code of the current task continues, in its context (not_before_ns is not
 * 0): if it was made ready early because of gravity, wait for its instant; then do what it wants
 * and may do now. Returns the CPU as nuc_schedule() does.
 */
struct nuc_cpu *nuc_sched_attend(struct nuc_cpu *cpu);

/* Complete a switch, in the context that was switched to. A new context does this first. */
void nuc_sched_arrived(struct nuc_cpu *cpu);

/* Charge the task that has been running (NULL: idle) up to now. Returns now in ticks. */
uint64_t nuc_sched_charge(struct nuc_cpu *cpu, struct nuc_task *task);

/*
 * Give the running task a slice of left_ns from now on; its class is asked again at the end
 * (nuc_class.slice_over). The charge of a run neither ends a slice nor moves its end. A slice above
 * 0 is made long enough for the task to make progress: no event can end it before. The time added
 * so, and the time by which the end comes late, are a debt to the class.
 */
void nuc_sched_slice(struct nuc_cpu *cpu, int64_t left_ns);
static inline void nuc_sched_no_slice(struct nuc_cpu *cpu)
{
	if (__builtin_expect(cpu->dispatch.slice_ns == HAL_NO_DEADLINE, 1))
		return;
	cpu->dispatch.slice_ns = HAL_NO_DEADLINE;
	cpu->dispatch.slice_shot_ns = HAL_NO_DEADLINE;
	cpu->dirty |= NUC_DIRTY_SHOT;
}
/* An event came before the end of the slice, or for another reason. If too little time is left to
 * anticipate the end of the slice, the next shot for it is not anticipated. If less is left than a
 * part of the cost of another event, the end is waited for at once. */
void nuc_sched_slice_awaited(struct nuc_cpu *cpu);

void nuc_sched_init(struct nuc_cpu *cpu);

#endif
